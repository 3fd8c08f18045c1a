// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// By what a `.part` file is known for ours. Browsers and others call their downloads `.part` as well, and what they
/// download may be a recording of ours: only what was begun here, and is not complete, is touched.
///
/// The mark is an extended attribute that a file has from before it is called `.part` until it has its final name, and
/// that no copy of it has by itself. A sidecar of the same name that says `growing` is as good. Where the file system
/// has no attributes, and there is no sidecar, the head has to tell.
enum PartClaim {
    static let attribute = "user.aircheck"

    /// Whether a file is ours to complete, its sidecar left out of account.
    static func holds(for descriptor: CInt, _ system: any FileSystemCalls) -> Bool {
        do throws(SystemError) {
            return try system.isMarked(descriptor, attribute)
        } catch {
            guard error.number == EOPNOTSUPP else { return false }
            return holds(forBeginning: beginning(of: descriptor, system))
        }
    }

    /// Whether a file that begins like this was begun by us and is not complete. A complete one, which may be on its way
    /// here from elsewhere, says in its tag how long it plays.
    static func holds(forBeginning bytes: [UInt8]) -> Bool {
        if let tag = ID3v2Tag(parsing: bytes) {
            return tag.text("TSSE")?.hasPrefix(name) == true && tag.text("TLEN") == nil
        }
        guard bytes.starts(with: "OggS".utf8) else { return false }
        return bytes.contains(vendor)
    }

    private static func beginning(of descriptor: CInt, _ system: any FileSystemCalls) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: length)
        let count = bytes.withUnsafeMutableBytes { (try? system.read(descriptor, into: $0, at: 0)) ?? 0 }
        return Array(bytes.prefix(count))
    }

    /// So many bytes from the beginning of a file hold what is looked for.
    private static let length = 4 << 10
    private static let name = "Aircheck"

    /// As it stands in all three kinds of comment headers (Vorbis I §5.2.1): behind its length.
    private static let vendor = [UInt8(name.utf8.count), 0, 0, 0] + Array(name.utf8)
}

extension [UInt8] {
    func contains(_ other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        return (0...count - other.count).contains { self[$0...].starts(with: other) }
    }
}
