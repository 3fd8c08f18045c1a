// SPDX-License-Identifier: MIT

import Glibc
package import Instants
import TestTools

/// A server on a loopback port that performs a ``LiveScript`` in real time, over real sockets.
///
///     let origin = try LiveOrigin(
///         LiveScript(.stream(LiveStream(programme, faults: [.inFrame(after: .seconds(8), .reset)]))))
///     // … record origin.url("/live") for 45 s …
///     #expect(origin.log.accepts.count <= origin.log.faults.count + 1)
///
/// One thread accepts, and each connection has a thread of its own. All end when the object is released. During an
/// absence the port is not listening, but stays reserved for this origin. To simulate mirrors of one programme, create
/// several origins with the same `began`.
package final class LiveOrigin: Sendable {
    package let port: Int
    /// The instant at which the script started.
    package let began: MonotonicInstant
    private let stopping = Gate()
    private let watchedLog = Watched(OriginLog())

    /// Starts to listen. The script starts at `began`.
    package convenience init(_ script: LiveScript, began: MonotonicInstant = .now) throws {
        try self.init(began: began) { _ in script }
    }

    /// Starts to listen, as ``init(_:began:)`` does, with a script that depends on the origin's own port. `makeScript`
    /// is called with this port.
    package init(began: MonotonicInstant = .now, scriptForPort makeScript: (Int) throws -> LiveScript) throws {
        let reservation = try Loopback.bind(port: 0)
        port = try Loopback.port(of: reservation)
        self.began = began
        let script = try makeScript(port)
        let door = LiveDoor(port: port, script: script, began: began, stop: stopping)
        // The port accepts connections as soon as this returns.
        let listener = script.absence(at: .now - began)?.isDeaf == true ? nil : try Loopback.listen(port: port)
        startThread("test-live") { [stopping, watchedLog] in
            door.run(listener) { descriptor, visit in
                let accepted = MonotonicInstant.now
                let number = watchedLog.change { $0.accepted(at: accepted, host: "") }
                startThread("test-listener") {
                    var connection = LiveConnection(
                        OriginSocket(descriptor, stop: stopping), number: number, visit: visit, script: script,
                        accepted: accepted, log: watchedLog)
                    connection.play()
                }
            }
            Loopback.close(reservation)
        }
    }

    deinit {
        stop()
    }

    /// The URL of a path, which must begin with a slash.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The events so far.
    package var log: OriginLog { watchedLog.value }

    /// How long the programme has been on air, if its script has the default ``LiveScript/onAir``.
    package func programmeTime(onAir: Duration = .seconds(40)) -> Duration { onAir + (.now - began) }

    /// Closes the listener and all connections. Returns at once; the port stops answering shortly after.
    package func stop() {
        stopping.open()
    }

    /// Waits until the log satisfies a condition. Returns false on timeout.
    package func hasLogged(
        within limit: Duration, _ condition: @escaping @Sendable (OriginLog) -> Bool
    ) async throws -> Bool {
        try await onThread { [watchedLog] in watchedLog.wait(within: limit) { condition($0) ? true : nil } ?? false }
    }
}
