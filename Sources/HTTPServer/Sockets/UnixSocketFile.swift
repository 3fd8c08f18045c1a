// SPDX-License-Identifier: MIT

import Glibc

/// The name in the file system of a Unix socket that listens: for owner and group (0660), and removed when it is
/// closed, unless it is another one's by then.
struct UnixSocketFile {
    private let path: String
    private let identity: Identity

    private static let mode: mode_t = 0o660

    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    /// Binds a socket to its path. A socket file on which nobody listens is replaced: a killed program left it behind.
    /// Any other file stays, and is an error.
    init(binding descriptor: CInt, to address: SocketAddress) throws(ListenError) {
        guard case .unix(let path) = address.host else { throw ListenError(address, errno: EAFNOSUPPORT) }
        // The file begins with this mode, less what the umask takes: at no time may others connect.
        fchmod(descriptor, Self.mode)
        let bind = { address.withSocketAddress { Glibc.bind(descriptor, $0, $1) } == 0 }
        if !bind() {
            guard errno == EADDRINUSE else { throw ListenError(address, errno: errno) }
            guard Self.isAbandoned(address, path), unlink(path) == 0 else {
                throw ListenError(address, errno: EADDRINUSE)
            }
            guard bind() else { throw ListenError(address, errno: errno) }
        }
        chmod(path, Self.mode)
        guard let identity = Self.identity(path) else { throw ListenError(address, errno: ENOENT) }
        self.path = path
        self.identity = identity
    }

    /// Idempotent, as long as nobody makes a file anew.
    func remove() {
        if Self.identity(path) == identity { unlink(path) }
    }

    /// Whether the path is a socket that refuses connections. A program that has bound it and does not listen yet looks
    /// the same.
    private static func isAbandoned(_ address: SocketAddress, _ path: String) -> Bool {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard identity(path) != nil, descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return address.withSocketAddress { connect(descriptor, $0, $1) } != 0 && errno == ECONNREFUSED
    }

    /// Nil where the path is no socket's. Links are not followed.
    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }
}
