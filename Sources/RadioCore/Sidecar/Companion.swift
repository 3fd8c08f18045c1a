// SPDX-License-Identifier: MIT

/// A file that lies beside the audio of a segment, under the same base name.
///
/// This is the one list of companions: whatever names, completes, discards, recovers, deletes or passes over the files
/// of a segment goes through all cases. The value is the extension, which no other file beside audio may have.
package enum Companion: String, CaseIterable, Hashable, Sendable {
    /// The description of the segment. It alone shows that the audio is ours, so it is written first and removed last.
    case sidecar = "json"
    /// What was found for the gaps of the growing audio (`SavedAudio`).
    case found
    /// Where frames begin.
    case index
    /// How loud each second is (``Levels``).
    case levels

    /// The bytes with which the companion begins, so that no file of somebody else is taken for one; empty for the
    /// sidecar, which is read as a whole.
    package var mark: [UInt8] {
        switch self {
        case .sidecar: []
        case .found: Array("acfound1".utf8)
        case .index: Array("airindex".utf8)
        case .levels: Array("aclevels".utf8)
        }
    }

    /// The largest companion that is read as a whole.
    package var maximumLength: Int64 {
        switch self {
        case .sidecar: Int64(Sidecar.maximumLength)
        case .found, .index, .levels: 16 << 20
        }
    }

    /// Whether the companion can be made again from the audio.
    package var isMade: Bool { self == .index || self == .levels }

    package func name(of base: String) -> String { "\(base).\(rawValue)" }
}
