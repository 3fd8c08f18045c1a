// SPDX-License-Identifier: MIT

import Glibc
import RadioCore

/// The zone database of this machine. Sendable; all calls read files, so they block.
package struct TimeZones: Sendable {
    private let folders: [String]

    /// Where zone databases are, as in `tzset(3)`.
    private static let usualFolders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
    private static let largestFile = 256 << 10
    private static let longestName = 100
    private static let largestList = 256 << 10

    package init(folders: [String] = TimeZones.usualFolders) {
        self.folders = folders
    }

    /// The zone of an IANA name such as `Europe/Paris`.
    package func zone(named name: String) throws(ZoneError) -> ZoneFile {
        guard Self.isName(name) else { throw .unknown(name) }
        for folder in folders {
            let bytes: [UInt8]
            do throws(ReadFault) {
                bytes = try Self.read("\(folder)/\(name)", limit: Self.largestFile)
            } catch {
                guard error.number != ENOENT else { continue }
                throw .unreadable(name, error.number)
            }
            return try ZoneFile(parsing: bytes, identifier: name)
        }
        throw .unknown(name)
    }

    /// The name that is most like this one; nil if none is like it.
    package func nearest(to name: String) -> String? {
        guard name.utf8.count <= Self.longestName else { return nil }
        let wanted = name.lowercased()
        let near = names.map { known -> (Int, String) in
            let lower = known.lowercased()
            // A city without its continent is what people write first.
            let city = lower.split(separator: "/").last.map(String.init) ?? lower
            return (min(lower.editDistance(to: wanted), city.editDistance(to: wanted)), known)
        }.min { $0.0 < $1.0 }
        return near.flatMap { $0.0 <= max(2, wanted.count / 4) ? $0.1 : nil }
    }

    /// The names of the zones that people live in, from the database's own list.
    package var names: [String] {
        for folder in folders {
            guard let bytes = try? Self.read("\(folder)/tzdata.zi", limit: Self.largestList) else { continue }
            return Self.names(in: bytes)
        }
        return []
    }

    /// `Z NAME …` for a zone, `L TARGET NAME` for a link (zic(8)).
    private static func names(in bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
            guard words.count > 1 else { return nil }
            switch words[0].first {
            case UInt8(ascii: "Z"): return String(decoding: words[1], as: UTF8.self)
            case UInt8(ascii: "L") where words.count > 2: return String(decoding: words[2], as: UTF8.self)
            default: return nil
            }
        }
    }

    /// Whether the name leads to a file of the database and nowhere else.
    private static func isName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return name.utf8.count <= longestName
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"):
                            true
                        default: "_+-".utf8.contains(byte)
                        }
                    }
            }
    }

    private struct ReadFault: Error {
        var number: Int32
    }

    private static func read(_ path: String, limit: Int) throws(ReadFault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ReadFault(number: errno == ENOTDIR ? ENOENT : errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ReadFault(number: errno) }
        // A folder of the database, such as "Europe", is no zone.
        guard status.st_mode & S_IFMT == S_IFREG else { throw ReadFault(number: ENOENT) }
        guard status.st_size <= limit else { throw ReadFault(number: EFBIG) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let room = bytes.count - count
            let result = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress.map { $0 + count }, room, off_t(count)) }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw ReadFault(number: result < 0 ? errno : EIO) }
            count += result
        }
        return bytes
    }
}
