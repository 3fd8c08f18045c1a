// SPDX-License-Identifier: MIT

import EventLoop
import Glibc
import Instants
import TestSupport
import TestTools

/// Measures the longest pauses of a loop, with a timer every 5 ms.
///
/// Time for which the thread was ready but had no processor is caused by other work on the machine, not by the loop.
/// The kernel counts it (`/proc/[pid]/schedstat`, proc(5)), and it is subtracted. Nothing is subtracted if the kernel
/// does not count it.
final class Heartbeat {
    private var timer: (any ReactorTimer)?
    private var last = MonotonicInstant.now
    private var lastDelay = Duration.zero
    private let statistics: CInt
    private(set) var longestPause = Duration.zero
    /// The pauses longer than 10 ms.
    private(set) var pauses: [Pause] = []
    private static let shortest = Duration.milliseconds(10)

    /// A period in which nothing ran on the thread.
    struct Pause: Sendable {
        var from: MonotonicInstant
        var to: MonotonicInstant
        /// The duration, minus the time for which the thread had no processor.
        var length: Duration

        /// The length of the pause without its overlap with pauses of another thread.
        func without(_ others: [Pause]) -> Duration {
            others.reduce(length) { rest, other in
                rest - min(other.length, max(.zero, min(to, other.to) - max(from, other.from)))
            }
        }
    }

    /// Starts measuring. Call it on the loop's thread, which is the one measured.
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

    /// The total time that this thread has waited for a processor: the second of three numbers, in nanoseconds.
    private func processorDelay() -> Duration {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = pread(statistics, &buffer, buffer.count, 0)
        let numbers = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        return .nanoseconds(numbers.dropFirst().first.flatMap { Int64($0) } ?? 0)
    }
}
