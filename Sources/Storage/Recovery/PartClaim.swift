// SPDX-License-Identifier: MIT

/// The mark that identifies a `.part` file as ours. Browsers and other programs also name their downloads `.part`, and
/// may be downloading one of our recordings: recovery only touches files that were begun here and are not complete.
///
/// The mark is an extended attribute. The file has it from before it is named `.part` until it has its final name, and
/// copies of the file do not inherit it by default. A sidecar of the same name that says `growing` identifies the file,
/// too; on a file system without attributes, each file has such a sidecar while it grows. The content proves nothing,
/// because complete recordings begin in the same way as growing recordings.
enum PartClaim {
    private static let attribute = "user.aircheck"

    /// Marks a new file. Returns false if the file system does not support it, so that a sidecar is needed.
    static func mark(_ descriptor: CInt, _ system: any FileSystemCalls) -> Bool {
        (try? system.mark(descriptor, attribute)) != nil
    }

    /// Removes the mark from a file that has its final name.
    static func unmark(_ descriptor: CInt, _ system: any FileSystemCalls) {
        try? system.unmark(descriptor, attribute)
    }

    /// Whether a file has the mark.
    static func isMarked(_ descriptor: CInt, _ system: any FileSystemCalls) -> Bool {
        (try? system.isMarked(descriptor, attribute)) == true
    }
}
