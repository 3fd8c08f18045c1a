// SPDX-License-Identifier: MIT

/// A file that lies beside the audio of a segment, under the same base name.
///
/// This is the one list of companions: whatever names, completes, discards, recovers or deletes the files of a segment
/// goes through all cases (``SegmentBundle``). The value is the extension.
enum Companion: String, CaseIterable {
    /// The description of the segment. It alone shows that the audio is ours, so it is written first and removed last.
    case sidecar = "json"

    func name(of base: String) -> String { "\(base).\(rawValue)" }
}
