// SPDX-License-Identifier: MIT

import Instants
import TestTools

extension OriginScript: ConnectionScript {
    package func perform(_ connection: OriginConnection) throws {
        var path = ""
        try perform(steps(forConnection: connection.number), on: connection, &path)
    }

    /// Performs steps. `path` is that of the last request.
    private func perform(_ steps: [Step], on connection: OriginConnection, _ path: inout String) throws {
        for step in steps {
            switch step {
            case .request: path = try connection.readRequest().path
            case .send(let bytes): try connection.send(bytes[...])
            case .flood(let bytes): while true { try connection.send(bytes[...]) }
            case .drip(let bytes): for byte in bytes { try connection.send([byte]) }
            case .pace(let bytes, let bytesPerSecond): try pace(bytes, bytesPerSecond, on: connection)
            case .stall(let gate): try connection.socket.stall(gate: gate)
            case .open(let gate): gate.open()
            case .byPath(let choices):
                try perform(choices[path] ?? [.failure(404, "Not Found")], on: connection, &path)
            case .close:
                try connection.socket.closeOrderly()
                throw OriginSocket.Ended.byScript
            case .reset: try connection.reset()
            }
        }
    }

    /// Sends bytes at a constant rate: every 20 ms, those that are due. The number of bytes due is computed from the
    /// start, so delays do not accumulate.
    private func pace(_ bytes: [UInt8], _ bytesPerSecond: Int, on connection: OriginConnection) throws {
        let begin = MonotonicInstant.now
        var sent = 0
        while sent < bytes.count {
            let due = min(bytes.count, Int((.now - begin).inSeconds * Double(bytesPerSecond)))
            try connection.send(bytes[sent..<max(sent, due)])
            sent = max(sent, due)
            try connection.socket.stall(until: .now + .milliseconds(20))
        }
    }
}
