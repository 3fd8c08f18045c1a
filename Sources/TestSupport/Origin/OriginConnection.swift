// SPDX-License-Identifier: MIT

import Instants
import TestTools

/// One connection of a ``ScriptedOrigin``. Blocks its thread.
package struct OriginConnection {
    let socket: OriginSocket
    /// The number of the connection in the log.
    let number: Int
    let accepted: MonotonicInstant
    /// The time of the accept, relative to the start of the origin.
    let time: Duration
    let log: Watched<OriginLog>

    /// Serves the connection as the script says, then closes it.
    func play(_ script: some ConnectionScript) {
        do {
            try script.perform(self)
            try socket.closeOrderly()
        } catch {
            // Whatever the error is, the connection is closed below.
        }
        log.change { log in
            log.open -= 1
            log.accepts[number].ended = .now
        }
        socket.close()
    }

    /// Reads a request, including its body, and logs it.
    func readRequest() throws -> OriginRequest {
        let request = try socket.readRequest()
        log.change {
            $0.requests.append(
                .init(
                    connection: number, at: .now, target: request.target,
                    wantsMetadata: request.header("Icy-MetaData") == "1", received: request))
        }
        return request
    }

    /// Sends all bytes, as fast as the client accepts them.
    func send(_ bytes: ArraySlice<UInt8>, isStream: Bool = false) throws {
        try socket.send(bytes) { count in
            log.change { log in
                log.sentBytes += count
                if isStream { log.bodyBytes += count }
            }
        }
    }

    /// Ends the connection with RST.
    func reset() throws -> Never {
        socket.prepareReset()
        throw OriginSocket.Ended.byScript
    }
}
