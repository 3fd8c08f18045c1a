// SPDX-License-Identifier: MIT

import Glibc
package import TestTools

/// The socket on which a service manager receives the messages of its services (`sd_notify(3)`).
package final class NotifySocket: Sendable {
    private let descriptor: CInt
    package let path: String

    /// Opens the socket in a folder.
    package init(in folder: TemporaryFolder) throws {
        path = folder.file("notify")
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw SetupError("no socket at \(path)") }
    }

    deinit { close(descriptor) }

    /// The messages since the last call. Does not wait.
    package func messages() -> [String] {
        var found: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return found }
            found.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}
