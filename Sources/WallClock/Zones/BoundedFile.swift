// SPDX-License-Identifier: MIT

import Glibc

/// Reads small files of the system.
enum BoundedFile {
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// There is no regular file of that name.
        case absent
        /// The error number of the call that failed.
        case system(CInt)

        var description: String {
            switch self {
            case .absent: "there is no such file"
            case .system(let number): String(cString: strerror(number))
            }
        }
    }

    /// The bytes of a regular file, at most `most` of them. Blocks.
    static func read(_ path: String, most: Int) throws(Failure) -> [UInt8] {
        // Of a pipe, without a writer, opening it would block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let number = errno
            throw [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(number) ? .absent : .system(number)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .absent }
        var bytes = [UInt8](repeating: 0, count: max(0, min(most, Int(status.st_size))))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            // The file has become shorter.
            guard count > 0 else { break }
            filled += count
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }
}
