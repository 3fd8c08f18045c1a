// SPDX-License-Identifier: MIT

import Glibc
package import Instants
import TestTools

/// An HTTP and ICY server on a loopback port that performs an ``OriginScript``, for behaviour that a real server does
/// not have or cannot be made to show.
///
/// One thread accepts, and each connection has a thread of its own. All end when the object is released.
package final class ScriptedOrigin: Sendable {
    private struct Log: Sendable {
        var accepts: [MonotonicInstant] = []
        var requests: [OriginRequest] = []
        var sentBytes = 0
    }

    package let port: Int
    private let stopping = Gate()
    private let log = Watched(Log())

    /// Starts to listen and to accept connections.
    package convenience init(_ script: OriginScript) throws {
        try self.init { _ in script }
    }

    /// Starts to listen, as ``init(_:)`` does, with a script that depends on the origin's own port. `makeScript` is
    /// called with this port.
    package init(scriptForPort makeScript: (Int) throws -> OriginScript) throws {
        let listener = try Loopback.listen(port: 0)
        port = try Loopback.port(of: listener)
        let script = try makeScript(port)
        startThread("test-origin") { [stopping, log] in
            accept(on: listener, until: stopping) { descriptor in
                let number = log.change { log in
                    log.accepts.append(.now)
                    return log.accepts.count - 1
                }
                startThread("test-connection") {
                    var connection = OriginConnection(
                        OriginSocket(descriptor, stop: stopping),
                        record: { request in log.change { $0.requests.append(request) } },
                        count: { count in log.change { $0.sentBytes += count } })
                    connection.play(script.steps(forConnection: number))
                }
            }
            Loopback.close(listener)
        }
    }

    deinit {
        stop()
    }

    /// The URL of a path, which must begin with a slash.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Closes the listener and all connections. Returns at once; the port stops answering shortly after.
    package func stop() {
        stopping.open()
    }

    /// The number of connections accepted so far.
    package var acceptCount: Int { log.value.accepts.count }

    /// The instants at which connections were accepted (`CLOCK_MONOTONIC`).
    package var acceptTimes: [MonotonicInstant] { log.value.accepts }

    /// All requests so far, in the order of arrival.
    package var requests: [OriginRequest] { log.value.requests }

    /// The number of bytes sent on all connections so far, including heads.
    package var sentBytes: Int { log.value.sentBytes }

    /// Waits until `count` connections have been accepted; false on timeout.
    package func hasAccepted(_ count: Int, within limit: Duration) async throws -> Bool {
        try await onThread { [log] in log.wait(within: limit) { $0.accepts.count >= count ? true : nil } ?? false }
    }
}

private func accept(on listener: CInt, until stop: Gate, _ take: (CInt) -> Void) {
    var watched = [stop.descriptor, listener].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
        guard poll(&watched, 2, -1) > 0 else { continue }
        if watched[0].revents != 0 { return }
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { continue }
        closeOnExec(descriptor)
        var yes: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
        take(descriptor)
    }
}
