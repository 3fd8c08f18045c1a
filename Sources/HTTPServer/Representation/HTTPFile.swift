// SPDX-License-Identifier: MIT

import Glibc
package import Instants
import Platform
import RadioFormats

/// A regular file, or bytes in its place. It is open only while it is sent: a response has one descriptor, however many
/// files it consists of.
package final class HTTPFile: Sendable {
    /// The file's length in bytes when it was looked at. Bytes added later are not sent. If the file shrinks, is
    /// replaced or is gone before it has been sent, the connection is closed.
    package let size: Int
    package let modified: WallInstant
    /// Differs for different contents, as far as inode, time and size reveal.
    let version: String
    private let inode: ino_t
    private let opening: @Sendable () -> Descriptor?

    /// `opening` returns a new descriptor of the file at each call, or nil. Returns nil if it does so now, or if it is
    /// not a regular file.
    package init?(opening: @escaping @Sendable () -> CInt?) {
        self.opening = { opening().map(Descriptor.init(owning:)) }
        guard let status = self.opening().flatMap(Self.status) else { return nil }
        (size, inode) = (Int(status.st_size), status.st_ino)
        modified =
            WallInstant(nanoseconds: 0) + .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
        let parts = [UInt64(inode), UInt64(bitPattern: modified.nanoseconds), UInt64(size)]
        version = parts.map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// Bytes that are sent with parts of files, and that change only with these.
    package init(bytes: [UInt8]) {
        (size, modified, version, inode) = (bytes.count, WallInstant(nanoseconds: 0), "\(bytes.count)", 0)
        opening = { try? Descriptor.memory(bytes) }
    }

    /// Opens a file, without blocking on a pipe. Returns nil if it is not a regular file or cannot be opened
    /// (`open(2)`). Follows links: the caller must know where the path leads.
    package convenience init?(path: String) {
        self.init {
            let descriptor = Glibc.open(path.pathBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            return descriptor >= 0 ? descriptor : nil
        }
    }

    /// The file, open; nil if it is gone or another one has its place.
    func open() -> Descriptor? {
        guard let file = opening() else { return nil }
        return inode == 0 || Self.status(of: file)?.st_ino == inode ? file : nil
    }

    private static func status(of file: Descriptor) -> stat? {
        var status = stat()
        return fstat(file.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
    }
}
