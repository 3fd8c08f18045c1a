// SPDX-License-Identifier: MIT

import Glibc
package import Instants

/// A regular file that is open for reading. Its descriptor is closed with the last who holds this: a response that is
/// being sent, or one that nobody will send.
package final class HTTPFile: Sendable {
    /// The file's length in bytes when it was opened. Bytes added later are not sent. If the file shrinks while it is
    /// being sent, the connection is closed.
    package let size: Int
    package let modified: WallInstant
    /// Another one for any other content, as far as the file system tells: of inode, time and size.
    package let entityTag: HTTPEntityTag
    let descriptor: CInt

    /// Takes a descriptor over; nil where it is of no regular file, and then it is closed.
    package init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
        modified =
            WallInstant(nanoseconds: 0) + .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
        let parts = [UInt64(status.st_ino), UInt64(bitPattern: modified.nanoseconds), UInt64(size)]
        entityTag = HTTPEntityTag(parts.map { String($0, radix: 16) }.joined(separator: "-"))
    }

    /// Opens a file, without waiting for the other end of a pipe; nil where there is none that may be read (`open(2)`).
    /// Links are followed: what a path may lead to, the caller knows.
    package convenience init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    /// Asks the kernel to read a part ahead, so that who sends it need not wait for the disk (`posix_fadvise(2)`).
    func expect(_ range: Range<Int>) {
        posix_fadvise(descriptor, off_t(range.lowerBound), off_t(range.count), POSIX_FADV_WILLNEED)
    }
}
