// SPDX-License-Identifier: MIT

import RadioFormats

/// By what a `.part` file without a sidecar is known for ours: the tag or the comment header it was begun with, or, where
/// it has neither, an extended attribute.
enum PartClaim {
    /// What a file bears that nothing in it or beside it tells.
    static let attribute = "user.aircheck"

    /// So many bytes from the beginning of a file hold what is looked for.
    static let length = 4 << 10

    /// Whether a file that begins like this was begun by us and is not complete. A complete one, which may be on its way
    /// here from elsewhere, says in its tag how long it plays.
    static func holds(forBeginning bytes: [UInt8]) -> Bool {
        if let tag = ID3v2Tag(parsing: bytes) {
            return tag.text("TSSE")?.hasPrefix(name) == true && tag.text("TLEN") == nil
        }
        guard bytes.starts(with: "OggS".utf8) else { return false }
        return bytes.contains(vendor)
    }

    private static let name = "Aircheck"

    /// As it stands in all three kinds of comment headers (Vorbis I §5.2.1): behind its length.
    private static let vendor = [UInt8(name.utf8.count), 0, 0, 0] + Array(name.utf8)
}

extension [UInt8] {
    fileprivate func contains(_ other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        return (0...count - other.count).contains { self[$0...].starts(with: other) }
    }
}
