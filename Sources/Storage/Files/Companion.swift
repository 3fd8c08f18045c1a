// SPDX-License-Identifier: MIT

import RadioCore

/// A file that lies beside the audio of a segment, under the same base name.
///
/// This is the one list of companions: whatever names, completes, discards, recovers or deletes the files of a segment
/// goes through all cases (``SegmentBundle``). The value is the extension.
package enum Companion: String, CaseIterable, Sendable {
    /// The description of the segment. It alone shows that the audio is ours, so it is written first and removed last.
    case sidecar = "json"
    /// Where frames begin (``FrameIndex``).
    case index
    /// How loud each second is (`Levels`).
    case levels

    /// The bytes with which the companion begins, so that no file of somebody else is taken for one; nil for the
    /// sidecar, which is read as a whole.
    var mark: [UInt8]? {
        switch self {
        case .sidecar: nil
        case .index: FrameIndex.mark
        case .levels: Levels.mark
        }
    }

    package func name(of base: String) -> String { "\(base).\(rawValue)" }
}
