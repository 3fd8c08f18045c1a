// SPDX-License-Identifier: MIT

import Glibc
package import Instants

/// An HTTP and ICY origin on a loopback port that does with each connection what its ``OriginScript`` says: for
/// whatever a real server will not do, or not when it is told to.
///
/// It accepts on a thread of its own, plays each connection on another, and stops with the object.
package final class ScriptedOrigin: Sendable {
    private struct Log: Sendable {
        var accepts: [MonotonicInstant] = []
        var requests: [OriginRequest] = []
        var sentBytes = 0
    }

    package let port: Int
    private let stopping = Gate()
    private let log = Watched(Log())

    /// Starts to listen; connections are accepted from now on.
    package convenience init(_ script: OriginScript) throws {
        try self.init { _ in script }
    }

    /// The same for a script that has to know the origin's own port, which it is given.
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

    /// The URL of a path, which begins with a slash.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Closes the listener and all connections. Nothing answers on the port soon after.
    package func stop() {
        stopping.open()
    }

    /// How many connections were accepted so far.
    package var acceptCount: Int { log.value.accepts.count }

    /// When each connection was accepted (`CLOCK_MONOTONIC`).
    package var acceptTimes: [MonotonicInstant] { log.value.accepts }

    /// All requests so far, in the order of their arrival.
    package var requests: [OriginRequest] { log.value.requests }

    /// How many bytes were sent on all connections so far, heads included.
    package var sentBytes: Int { log.value.sentBytes }

    /// Waits until `count` connections were accepted, and says whether that happened in time.
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
