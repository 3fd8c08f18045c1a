// SPDX-License-Identifier: MIT

/// The behaviour of a ``ScriptedOrigin`` on each connection. A value, built from small parts.
///
///     OriginScript([.request, .icyHead(interval: 16), .send(body), .reset])
///
/// Connections are numbered in the order of their accepts; the last list applies to all later connections. At the end
/// of a list the connection is closed with FIN. Steps for heads, bodies and complete responses are in
/// `OriginScript+Answers.swift`.
package struct OriginScript: Sendable {
    /// One action of the origin.
    package indirect enum Step: Sendable {
        /// Reads a request, including its body, and records it.
        case request
        /// Sends bytes as fast as the client accepts them.
        case send([UInt8])
        /// Sends the same bytes repeatedly, as fast as the client accepts them, until the client disconnects.
        case flood([UInt8])
        /// Sends each byte in a packet of its own.
        case drip([UInt8])
        /// Sends bytes at a constant rate.
        case pace([UInt8], bytesPerSecond: Int)
        /// Keeps the connection open and silent until the gate opens or the client disconnects.
        case stall(Gate)
        /// Opens a gate, so that a test can wait for this point of the script.
        case open(Gate)
        /// Continues with the steps for the path of the last request; answers 404 if there are none.
        case byPath([String: [Step]])
        /// Closes with FIN, and waits until the client has received everything and has closed as well.
        case close
        /// Closes with RST. Bytes that the client has not received yet are lost.
        case reset
    }

    /// The steps for each connection, in the order of the accepts. The last list also applies to all later connections.
    package let connections: [[Step]]

    package init(_ connections: [Step]...) { self.connections = connections }

    package init(connections: [[Step]]) { self.connections = connections }

    /// The steps for the connection with this number.
    func steps(forConnection number: Int) -> [Step] {
        number < connections.count ? connections[number] : connections.last ?? []
    }
}
