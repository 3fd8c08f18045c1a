// SPDX-License-Identifier: MIT

/// The mark by which a `.part` file is known as ours. Browsers and others call their downloads `.part` as well, and
/// what they download may be a recording of ours: only what was begun here, and is not complete, is touched.
///
/// The mark is an extended attribute that a file has from before it is called `.part` until it has its final name, and
/// that no copy of it has by itself. A sidecar of the same name that says `growing` is as good; where the file system
/// has no attributes, a file has one for as long as it grows. Nothing inside a file tells: complete recordings begin
/// like growing ones.
enum PartClaim {
    private static let attribute = "user.aircheck"

    /// Marks a new file; false where the file system cannot, so that a sidecar has to tell.
    static func mark(_ descriptor: CInt, _ system: any FileSystemCalls) -> Bool {
        (try? system.mark(descriptor, attribute)) != nil
    }

    /// Takes the mark away from a file that has its final name.
    static func unmark(_ descriptor: CInt, _ system: any FileSystemCalls) {
        try? system.unmark(descriptor, attribute)
    }

    /// Whether a file bears the mark.
    static func isMarked(_ descriptor: CInt, _ system: any FileSystemCalls) -> Bool {
        (try? system.isMarked(descriptor, attribute)) == true
    }
}
