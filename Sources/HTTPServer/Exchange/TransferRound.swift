// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// Sends files in turn, a chunk at a time, for a few milliseconds per turn of the loop, because reading a file may
/// block on the disk.
final class TransferRound {
    private let reactor: any Reactor
    /// The connections that wait for their turn. After its turn, a connection with more to send goes to the end.
    private var waiting: [HTTPConnection] = []
    private lazy var timer = reactor.makeTimer { [unowned self] in run() }

    private static let slice = Duration.milliseconds(4)

    init(reactor: any Reactor) {
        self.reactor = reactor
    }

    /// Schedules a chunk of the connection to be sent soon.
    func add(_ connection: HTTPConnection) {
        if waiting.isEmpty { timer.arm(at: reactor.now) }
        waiting.append(connection)
    }

    func close() {
        timer.cancel()
        waiting = []
    }

    private func run() {
        let end = reactor.readClocks().now + Self.slice
        var next = 0
        while next < waiting.count {
            waiting[next].sendMore()
            next += 1
            guard reactor.readClocks().now < end else { break }
        }
        waiting.removeFirst(min(next, waiting.count))
        if !waiting.isEmpty { timer.arm(at: reactor.now) }
    }
}
