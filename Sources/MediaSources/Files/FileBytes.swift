// SPDX-License-Identifier: MIT

/// The first bytes of a file. Reading blocks.
enum FileBytes {
    /// At most `limit` bytes; nil if the file cannot be opened.
    static func read(_ path: String, atMost limit: Int) -> [UInt8]? {
        guard let reader = try? FileReader(path) else { return nil }
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let hasMore = try? reader.read(min(64 << 10, limit - bytes.count)) { bytes.append(contentsOf: $0) }
            guard hasMore == true else { break }
        }
        return bytes
    }
}
