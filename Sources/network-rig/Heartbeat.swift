// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants
import TestSupport

/// How long a loop stood still at the longest: a timer every 5 ms. Confined to the loop's thread.
///
/// That the thread was ready and had no processor is no fault of the loop's, but of what else runs on the machine: the
/// kernel counts it (`/proc/[pid]/schedstat`, proc(5)), and it is taken off. A kernel that does not count takes off
/// nothing.
final class Heartbeat {
    private var timer: (any ReactorTimer)?
    private var last = MonotonicInstant.now
    private var lastDelay = Duration.zero
    private let statistics: CInt
    private(set) var longestPause = Duration.zero
    /// Those that are worth a word.
    private(set) var pauses: [Pause] = []
    private static let shortest = Duration.milliseconds(10)

    /// A while in which nothing ran on the thread.
    struct Pause: Sendable {
        var from: MonotonicInstant
        var to: MonotonicInstant
        /// Without the time for which the thread had no processor.
        var length: Duration

        /// What is left of it without the pauses of another thread at the same time.
        func without(_ others: [Pause]) -> Duration {
            others.reduce(length) { rest, other in
                rest - min(other.length, max(.zero, min(to, other.to) - max(from, other.from)))
            }
        }
    }

    /// Begins; on the loop's thread, as it is the one that is watched.
    init(_ reactor: any Reactor) {
        statistics = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        lastDelay = processorDelay()
        timer = reactor.makeTimer { [unowned self] in
            beat()
            timer?.arm(at: reactor.now + .milliseconds(5))
        }
        timer?.arm(at: reactor.now)
    }

    deinit { close(statistics) }

    private func beat() {
        let (now, delay) = (MonotonicInstant.now, processorDelay())
        let pause = Pause(from: last, to: now, length: (now - last) - (delay - lastDelay))
        longestPause = max(longestPause, pause.length)
        if pause.length > Self.shortest { pauses.append(pause) }
        (last, lastDelay) = (now, delay)
    }

    /// For how long in all this thread has waited for a processor: the second of three numbers, in nanoseconds.
    private func processorDelay() -> Duration {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = pread(statistics, &buffer, buffer.count, 0)
        let numbers = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        return .nanoseconds(numbers.dropFirst().first.flatMap { Int64($0) } ?? 0)
    }
}
