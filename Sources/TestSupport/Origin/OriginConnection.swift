// SPDX-License-Identifier: MIT

import Instants
import TestTools

/// One connection of a ``ScriptedOrigin``. Blocks its thread.
struct OriginConnection {
    let socket: OriginSocket
    /// Called with the head of each request.
    let record: (OriginRequest) -> Void
    /// Called with the number of bytes that the kernel has just accepted.
    let count: (Int) -> Void

    private var path = ""

    init(_ socket: OriginSocket, record: @escaping (OriginRequest) -> Void, count: @escaping (Int) -> Void) {
        self.socket = socket
        self.record = record
        self.count = count
    }

    /// Performs the steps and closes the connection.
    mutating func play(_ steps: [OriginScript.Step]) {
        do {
            try run(steps)
            try socket.closeOrderly()
        } catch {
            // Whatever the error is, the connection is closed below.
        }
        socket.close()
    }

    private mutating func run(_ steps: [OriginScript.Step]) throws {
        for step in steps {
            switch step {
            case .request:
                let request = try socket.readRequest()
                path = request.path
                record(request)
            case .send(let bytes): try socket.send(bytes[...], count: count)
            case .flood(let bytes): while true { try socket.send(bytes[...], count: count) }
            case .drip(let bytes): for byte in bytes { try socket.send([byte], count: count) }
            case .pace(let bytes, let bytesPerSecond): try pace(bytes, bytesPerSecond)
            case .stall(let gate): try socket.stall(gate: gate)
            case .open(let gate): gate.open()
            case .byPath(let choices): try run(choices[path] ?? [.failure(404, "Not Found")])
            case .close:
                try socket.closeOrderly()
                throw OriginSocket.Ended.byScript
            case .reset:
                socket.prepareReset()
                throw OriginSocket.Ended.byScript
            }
        }
    }

    /// Sends bytes at a constant rate: every 20 ms, those that are due. The number of bytes due is computed from the
    /// start, so delays do not accumulate.
    private func pace(_ bytes: [UInt8], _ bytesPerSecond: Int) throws {
        let begin = MonotonicInstant.now
        var sent = 0
        while sent < bytes.count {
            let due = min(bytes.count, Int((.now - begin).inSeconds * Double(bytesPerSecond)))
            try socket.send(bytes[sent..<max(sent, due)], count: count)
            sent = max(sent, due)
            try socket.stall(until: .now + .milliseconds(20))
        }
    }
}
