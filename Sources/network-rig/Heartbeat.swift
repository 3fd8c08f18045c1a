// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import TestSupport

/// How long a loop stood still at the longest: a timer every 5 ms. Confined to the loop's thread.
final class Heartbeat {
    private var timer: (any ReactorTimer)?
    private var last = MonotonicInstant.now
    private(set) var longestPause = Duration.zero

    init(_ reactor: any Reactor) {
        timer = reactor.makeTimer { [unowned self] in
            let now = MonotonicInstant.now
            longestPause = max(longestPause, now - last)
            last = now
            timer?.arm(at: reactor.now + .milliseconds(5))
        }
        timer?.arm(at: reactor.now)
    }
}
