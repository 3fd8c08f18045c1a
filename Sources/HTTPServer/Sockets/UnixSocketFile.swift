// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// The file of a listening Unix socket: accessible to owner and group (0660), or to the owner alone (0600), and removed
/// when the socket is closed, unless it has been replaced.
struct UnixSocketFile {
    private let path: String
    private let identity: Identity

    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    /// Binds a socket to its path. Replaces a socket file on which nobody listens, left behind by a killed program.
    /// Throws if any other file exists there.
    init(binding descriptor: CInt, to address: SocketAddress, isOwners: Bool = false) throws(ListenError) {
        let mode: mode_t = isOwners ? 0o600 : 0o660
        guard case .unix(let path) = address.host else { throw ListenError(address, errno: EAFNOSUPPORT) }
        // The file is created with this mode, less the umask, so that other users can never connect.
        fchmod(descriptor, mode)
        let bind = { address.withSocketAddress { Glibc.bind(descriptor, $0, $1) } == 0 }
        if !bind() {
            guard errno == EADDRINUSE else { throw ListenError(address, errno: errno) }
            guard Self.isAbandoned(address, path), unlink(path.pathBytes) == 0 else {
                throw ListenError(address, errno: EADDRINUSE)
            }
            guard bind() else { throw ListenError(address, errno: errno) }
        }
        chmod(path.pathBytes, mode)
        guard let identity = Self.identity(path) else { throw ListenError(address, errno: ENOENT) }
        self.path = path
        self.identity = identity
    }

    /// Whether the path still leads to the socket.
    var isInPlace: Bool { Self.identity(path) == identity }

    /// Removes the file if it is still ours. Idempotent, unless a new file gets the same inode.
    func remove() {
        if isInPlace { unlink(path.pathBytes) }
    }

    /// Whether the path is a socket that refuses connections. This cannot be distinguished from a socket that a program
    /// has bound but does not listen on yet.
    private static func isAbandoned(_ address: SocketAddress, _ path: String) -> Bool {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard identity(path) != nil, descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return address.withSocketAddress { connect(descriptor, $0, $1) } != 0 && errno == ECONNREFUSED
    }

    /// The identity of the socket file at a path; nil if the path is not a socket. Does not follow links.
    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard lstat(path.pathBytes, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }
}
