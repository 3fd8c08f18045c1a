// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// The content of a regular file of limited size.
package struct PlainFile: Sendable {
    /// Why there is no content.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        case isFolder
        /// A pipe, a socket or a device.
        case notRegular
        case system(SystemError)

        /// The words that follow the file's name in a message.
        package var description: String {
            switch self {
            case .isFolder: "is a folder"
            case .notRegular: "is not a file"
            case .system(let error): "cannot be read: \(error)"
            }
        }
    }

    package let bytes: [UInt8]
    /// The permission bits (stat(2)).
    package let permissions: UInt32

    /// Reads at most `most` bytes from the beginning of a file. Blocks for as long as the file system does, but does
    /// not wait for the writer of a pipe.
    package static func read(_ path: String, most: Int) throws(Problem) -> PlainFile {
        // C would end the path at a NUL.
        guard !path.utf8.contains(0) else { throw .system(SystemError(number: ENOENT)) }
        let descriptor = Descriptor(
            owning: try call { open(path.pathBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) })
        var status = stat()
        _ = try call { fstat(descriptor.number, &status) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .isFolder
        default: throw .notRegular
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(most, 16 << 10))
        while bytes.count < most {
            let wanted = min(buffer.count, most - bytes.count)
            let count = try call { Glibc.read(descriptor.number, &buffer, wanted) }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return PlainFile(bytes: bytes, permissions: UInt32(status.st_mode) & 0o7777)
    }

    private static func call<Result: FixedWidthInteger>(_ call: () -> Result) throws(Problem) -> Result {
        do throws(SystemError) { return try systemCall(call) } catch { throw .system(error) }
    }
}
