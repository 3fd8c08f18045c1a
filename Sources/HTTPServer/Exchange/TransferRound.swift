// SPDX-License-Identifier: MIT

import EventLoop
import Instants

/// Has files sent by turns, a chunk at a time, for a few milliseconds in each turn of the loop: to read one may mean to
/// wait for the disk. Confined to the loop's thread.
final class TransferRound {
    private let reactor: any Reactor
    /// Who goes on has its place behind the others.
    private var waiting: [HTTPConnection] = []
    private lazy var timer = reactor.makeTimer { [unowned self] in run() }

    private static let slice = Duration.milliseconds(4)

    init(reactor: any Reactor) {
        self.reactor = reactor
    }

    /// Has the connection send a chunk soon.
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
