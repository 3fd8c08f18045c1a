// SPDX-License-Identifier: MIT

import Glibc

/// Reads small text files that people write.
enum TextFile {
    /// The whole text. Returns nil with `errno` if the file cannot be read, or is larger than `limit` bytes.
    static func read(_ path: String, limit: Int) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                errno = EFBIG
                return nil
            }
        }
    }
}
