// SPDX-License-Identifier: MIT

/// What a ``ScriptedOrigin`` does with each connection: a value, to be built from small parts.
///
///     OriginScript([.request, .icyHead(interval: 16), .send(body), .reset])
///
/// Connections are numbered as they are accepted; the last list serves all that follow it. When a list ends, the
/// connection is closed in an orderly way. Headers, bodies and whole answers are in `OriginScript+Answers.swift`.
package struct OriginScript: Sendable {
    /// One thing that the origin does.
    package indirect enum Step: Sendable {
        /// Reads a request head up to its empty line and records it.
        case request
        /// Sends bytes as fast as they are taken.
        case send([UInt8])
        /// Sends the same bytes again and again, as fast as they are taken, until the other side leaves.
        case flood([UInt8])
        /// Sends each byte in a packet of its own.
        case drip([UInt8])
        /// Sends bytes at an even pace.
        case pace([UInt8], bytesPerSecond: Int)
        /// Keeps the connection open and silent until the gate opens or the other side leaves.
        case stall(Gate)
        /// Opens a gate, so that a test can wait for the script to come here.
        case open(Gate)
        /// Goes on with the steps for the path of the last request; answers 404 where there are none.
        case byPath([String: [Step]])
        /// Closes with FIN, after what was sent has been taken.
        case close
        /// Closes with RST; what was sent and not taken yet is lost.
        case reset
    }

    /// The steps for each connection, in the order of their arrival; the last list repeats.
    package let connections: [[Step]]

    package init(_ connections: [Step]...) {
        self.connections = connections
    }

    package init(connections: [[Step]]) {
        self.connections = connections
    }

    /// The steps for a connection, by its number.
    func steps(forConnection number: Int) -> [Step] {
        number < connections.count ? connections[number] : connections.last ?? []
    }
}
