// SPDX-License-Identifier: MIT

import Glibc
package import Instants
import Platform
import RadioFormats

/// A regular file that is open for reading. Its descriptor is closed when the last reference, such as a response that
/// is being sent, is released.
package final class HTTPFile: Sendable {
    /// The file's length in bytes when it was opened. Bytes added later are not sent. If the file shrinks while it is
    /// being sent, the connection is closed.
    package let size: Int
    package let modified: WallInstant
    /// Differs for different contents, as far as inode, time and size reveal.
    let version: String
    private let file: Descriptor

    var descriptor: CInt { file.number }

    /// Takes ownership of a descriptor. Closes it and returns nil if it is not a regular file.
    package init?(descriptor: CInt) {
        file = Descriptor(owning: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int(status.st_size)
        modified =
            WallInstant(nanoseconds: 0) + .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
        let parts = [UInt64(status.st_ino), UInt64(bitPattern: modified.nanoseconds), UInt64(size)]
        version = parts.map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// Bytes that are sent with parts of files, and that change only with these. Nil if there is no memory.
    package init?(bytes: [UInt8]) {
        guard let memory = try? Descriptor.memory(bytes) else { return nil }
        (file, size, modified, version) = (memory, bytes.count, WallInstant(nanoseconds: 0), "\(bytes.count)")
    }

    /// Opens a file, without blocking on a pipe. Returns nil if it is not a regular file or cannot be opened
    /// (`open(2)`). Follows links: the caller must know where the path leads.
    package convenience init?(path: String) {
        let descriptor = open(path.pathBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor)
    }

    /// Asks the kernel to read a part ahead, so that sending it does not block on the disk (`posix_fadvise(2)`).
    func expect(_ range: Range<Int>) {
        posix_fadvise(descriptor, off_t(range.lowerBound), off_t(range.count), POSIX_FADV_WILLNEED)
    }
}
