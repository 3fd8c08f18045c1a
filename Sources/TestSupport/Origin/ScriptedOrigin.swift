// SPDX-License-Identifier: MIT

package import Instants
import TestTools

/// A server on a loopback port that performs a script in real time, over real sockets: an ``OriginScript`` for exact
/// bytes, or a ``LiveScript`` for a station.
///
///     let origin = try ScriptedOrigin(
///         LiveScript(.stream(LiveStream(programme, faults: [.inFrame(after: .seconds(8), .reset)]))))
///     // … record origin.url("/live") for 45 s …
///     #expect(origin.log.accepts.count <= origin.log.faults.count + 1)
///
/// One thread accepts connections, and each connection has a thread of its own. All threads end when the object is
/// released. During an absence nothing listens at the port, but it stays reserved for this origin. To simulate mirrors
/// of one programme, create several origins with the same `began`.
package final class ScriptedOrigin: Sendable {
    package let port: Int
    /// The instant at which the script started.
    package let began: MonotonicInstant
    private let stopping = Gate()
    private let watchedLog = Watched(OriginLog())

    /// Starts to listen. The script starts at `began`.
    package convenience init(_ script: some ConnectionScript, began: MonotonicInstant = .now) throws {
        try self.init(began: began) { _ in script }
    }

    /// Starts to listen, with the steps of an ``OriginScript`` for each connection.
    package convenience init(_ connections: [OriginScript.Step]...) throws {
        try self.init(connections: connections)
    }

    package convenience init(connections: [[OriginScript.Step]]) throws {
        try self.init(OriginScript(connections: connections))
    }

    /// Starts to listen, as ``init(_:began:)`` does, with a script that depends on the origin's own port. `makeScript`
    /// is called with this port.
    package init<Script: ConnectionScript>(
        began: MonotonicInstant = .now, scriptForPort makeScript: (Int) throws -> Script
    ) throws {
        let reservation = try Loopback.bind(port: 0)
        port = try Loopback.port(of: reservation)
        self.began = began
        let script = try makeScript(port)
        let door = OriginDoor(port: port, script: script, began: began, stop: stopping)
        // The port accepts connections as soon as this returns.
        let listener = script.absence(at: .now - began)?.isDeaf == true ? nil : try Loopback.listen(port: port)
        startThread("test-origin") { [stopping, watchedLog] in
            door.run(listener) { descriptor, accepted in
                let connection = OriginConnection(
                    socket: OriginSocket(descriptor, stop: stopping),
                    number: watchedLog.change { $0.accepted(at: accepted, host: "") }, accepted: accepted,
                    time: accepted - began, log: watchedLog)
                startThread("test-connection") { connection.play(script) }
            }
            Loopback.close(reservation)
        }
    }

    deinit { stop() }

    /// The URL of a path, which must begin with a slash.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The events so far.
    package var log: OriginLog { watchedLog.value }

    /// The number of connections accepted so far.
    package var acceptCount: Int { log.accepts.count }

    /// The instants at which connections were accepted (`CLOCK_MONOTONIC`).
    package var acceptTimes: [MonotonicInstant] { log.accepts.map(\.at) }

    /// All requests so far, in the order of arrival.
    package var requests: [OriginRequest] { log.requests.compactMap(\.received) }

    /// How long the programme has been on air, if its script has the default ``LiveScript/onAir``.
    package func programmeTime(onAir: Duration = .seconds(40)) -> Duration { onAir + (.now - began) }

    /// Closes the listener and all connections. Returns at once; the port stops answering shortly after.
    package func stop() { stopping.open() }

    /// Waits until the log satisfies a condition. Returns false on timeout.
    package func hasLogged(
        within limit: Duration, _ condition: @escaping @Sendable (OriginLog) -> Bool
    ) async throws -> Bool {
        try await onThread { [watchedLog] in watchedLog.wait(within: limit) { condition($0) ? true : nil } ?? false }
    }
}
