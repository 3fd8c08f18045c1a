// SPDX-License-Identifier: MIT

import Glibc
import TestTools

/// A group of listeners of one stream on this machine. One thread receives everything that the server sends to them.
/// They disconnect when the object is released.
package final class Audience: Sendable {
    /// The outcome of one listener.
    package struct Member: Sendable {
        /// Everything after the response head.
        package let body: [UInt8]
        /// The status line of the response.
        package let statusLine: String
        /// Whether the connection was still open when the listeners left.
        package let isConnected: Bool
    }

    private let leaving = Gate()
    /// The number of bytes that the slowest listener has received, including its response head.
    private let least = Watched(0)
    private let outcome = Watched<[Member]?>(nil)

    /// Connects `count` clients to a port and requests a path with each. Blocks until all requests are sent.
    package init(_ count: Int, port: Int, path: String = "/live") throws {
        var descriptors: [CInt] = []
        do {
            for _ in 0..<count {
                descriptors.append(try Loopback.connect(port: port))
                try Loopback.send(Array("GET \(path) HTTP/1.0\r\n\r\n".utf8), to: descriptors[descriptors.count - 1])
            }
        } catch {
            descriptors.forEach(Loopback.close)
            throw error
        }
        startThread("test-audience") { [descriptors, leaving, least, outcome] in
            let members = listen(descriptors, until: leaving) { count in least.change { $0 = count } }
            outcome.change { $0 = members }
        }
    }

    deinit { leaving.open() }

    /// Waits until each listener has received `bytes` bytes, including the response head. Returns false on timeout.
    package func hasHeard(bytes: Int, within limit: Duration) async throws -> Bool {
        try await onThread { [least] in least.wait(within: limit) { $0 >= bytes ? true : nil } ?? false }
    }

    /// Disconnects all listeners and returns their outcomes. Blocks the calling thread.
    package func leave() throws -> [Member] {
        leaving.open()
        guard let members = outcome.wait(within: .seconds(60), for: { $0 }) else {
            throw SetupError("the audience does not leave")
        }
        return members
    }

    /// Disconnects all listeners and returns their outcomes, without blocking the caller's thread.
    package func leave() async throws -> [Member] { try await onThread { try self.leave() } }
}

private func listen(_ descriptors: [CInt], until leaving: Gate, progress: (Int) -> Void) -> [Audience.Member] {
    var watched = ([leaving.descriptor] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var received = descriptors.map { _ in [UInt8]() }
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
        guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
        if watched[0].revents != 0 { break }
        for (place, descriptor) in descriptors.enumerated() where watched[place + 1].revents != 0 {
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if count > 0 {
                received[place] += buffer[..<count]
            } else if count == 0 || errno != EAGAIN {
                // The connection is closed; `poll` ignores negative descriptors.
                watched[place + 1].fd = -1
            }
        }
        progress(received.lazy.map(\.count).min() ?? 0)
    }
    let members = zip(received, watched.dropFirst()).map { bytes, watched in
        Audience.Member(bytes, isConnected: watched.fd >= 0)
    }
    descriptors.forEach(Loopback.close)
    return members
}

extension Audience.Member {
    fileprivate init(_ bytes: [UInt8], isConnected: Bool) {
        let mark = Array("\r\n\r\n".utf8)
        let end = bytes.indices.prefix(4096).first { bytes[$0...].starts(with: mark) } ?? bytes.count
        self.isConnected = isConnected
        body = Array(bytes.dropFirst(end + mark.count))
        statusLine = String(decoding: bytes.prefix(end).prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }
}
