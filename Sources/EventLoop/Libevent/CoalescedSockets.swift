// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Instants

/// Sockets that report in rounds while many of them become ready, as a network card coalesces its interrupts.
///
/// With a thousand stations, deliveries are a millisecond apart. If sockets report one by one, each report finds the
/// processor's caches filled with something else; in a round, all reports but the first find the code and the loop's
/// tables in the caches. A socket that becomes ready is reported at once, unless rounds are timed. Timed rounds begin
/// when a report follows another within 50 ms, and end when a round finds no ready socket.
///
/// The watches retain this object. Both this object and the watches retain the reactor.
final class CoalescedSockets {
    private let reactor: LibeventReactor
    /// The epoll set of the sockets.
    private let set: CInt
    private var watches: [CInt: Unmanaged<LibeventSocketWatch>] = [:]
    /// Room for the descriptors of one round.
    private var ready = Array<CInt>(repeating: 0, count: roundLimit)
    private var lastRound: MonotonicInstant?
    /// The watch of the epoll set itself, with no interest between timed rounds.
    private var bell: LibeventSocketWatch?
    private lazy var timer = LibeventTimer(reactor: reactor) { [unowned self] in timedRound() }

    private static let interval = Duration.milliseconds(50)
    /// The maximum number of sockets reported per turn, so that a round does not hold up the rest of the loop.
    private static let roundLimit = 16

    /// Returns nil if the process has no descriptor left.
    init?(_ reactor: LibeventReactor) {
        self.reactor = reactor
        set = ac_open_poll_set()
        guard set >= 0 else { return nil }
        bell = LibeventSocketWatch(reactor: reactor, descriptor: set) { [unowned self] _ in ring() }
        bell?.interest = .read
    }

    deinit {
        guard set >= 0 else { return }
        // Released without `cancel()`, which only the loop's thread may call: the last watch may be released after the
        // loop's end.
        bell = nil
        close(set)
    }

    /// Watches a descriptor for reading, and reports to `watch`, which is not retained: it must remove the descriptor
    /// before it is released. Returns false if the kernel cannot watch the descriptor.
    func add(_ descriptor: CInt, _ watch: LibeventSocketWatch) -> Bool {
        guard ac_poll_set_add(set, descriptor) == 0 else { return false }
        watches[descriptor] = .passUnretained(watch)
        return true
    }

    func remove(_ descriptor: CInt) {
        guard watches.removeValue(forKey: descriptor) != nil else { return }
        _ = ac_poll_set_remove(set, descriptor)
    }

    private func ring() {
        let isSoon = lastRound.map { reactor.now < $0 + Self.interval } ?? false
        round()
        guard isSoon else { return }
        // The bell stays off between rounds: turning it on makes the kernel search the whole set for cycles.
        bell?.interest = []
        timer.arm(at: reactor.now + Self.interval)
    }

    private func timedRound() {
        switch round() {
        case 0: bell?.interest = .read
        case Self.roundLimit: timer.arm(at: reactor.now)
        default: timer.arm(at: reactor.now + Self.interval)
        }
    }

    /// Reports sockets that are ready, and returns their number.
    @discardableResult
    private func round() -> Int {
        lastRound = reactor.now
        let count = Int(max(0, ac_poll_set_ready(set, &ready, CInt(ready.count))))
        for position in 0..<count {
            // The handler of an earlier socket in this round may have removed this one.
            watches[ready[position]]?.takeUnretainedValue().report(.read)
        }
        return count
    }
}
