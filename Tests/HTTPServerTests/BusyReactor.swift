// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import TestSupport

/// A loop on which a millisecond passes each time the clock is read.
final class BusyReactor: Reactor {
    let polled = PolledReactor()
    private(set) var longestCallback = Duration.zero
    private var looks = 0

    var now: MonotonicInstant { polled.now }
    var wallNow: WallInstant { polled.wallNow }
    var inbox: Inbox { polled.inbox }

    func readClocks() -> ClockReading {
        looks += 1
        return ClockReading(wall: wallNow, now: now + .milliseconds(looks))
    }

    func watch(_ descriptor: CInt, _ handler: @escaping (Readiness) -> Void) -> any SocketWatch {
        polled.watch(descriptor) { [unowned self] readiness in measure { handler(readiness) } }
    }

    func makeTimer(_ handler: @escaping () -> Void) -> any ReactorTimer {
        polled.makeTimer { [unowned self] in measure(handler) }
    }

    private func measure(_ callback: () -> Void) {
        let before = looks
        callback()
        longestCallback = max(longestCallback, .milliseconds(looks - before))
    }

    func `defer`(_ handler: @escaping () -> Void) { polled.defer(handler) }
    func watchSignal(_ number: CInt, _ handler: @escaping () -> Void) -> any SignalWatch {
        polled.watchSignal(number, handler)
    }
}
