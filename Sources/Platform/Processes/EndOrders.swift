// SPDX-License-Identifier: MIT

import Instants

/// Decides when to ask a process to end, and when to kill it.
struct EndOrders {
    enum Order: Hashable {
        /// Ask the process to end: SIGTERM.
        case ask
        /// Kill the process: SIGKILL.
        case kill
    }

    private let deadline: MonotonicInstant?
    private let grace: Duration
    private var killAt: MonotonicInstant?
    private var isKilled = false
    /// Whether the process was asked to end because its deadline had passed.
    var isTooSlow: Bool { killAt != nil }

    init(deadline: MonotonicInstant?, grace: Duration) {
        self.deadline = deadline
        self.grace = grace
    }

    /// The signal due now; nil if none is due. `mustDie`: whether the process is to be killed, whatever its deadline.
    mutating func order(at now: MonotonicInstant, mustDie: Bool) -> Order? {
        guard !isKilled else { return nil }
        if mustDie || killAt.map({ $0 <= now }) ?? false {
            isKilled = true
            return .kill
        }
        guard killAt == nil, let deadline, deadline <= now else { return nil }
        killAt = now + grace
        return .ask
    }

    /// The time until the next order, as a timeout for `poll`: rounded up, so that the order is due when the timeout
    /// ends.
    func milliseconds(at now: MonotonicInstant) -> CInt {
        guard !isKilled, let next = killAt ?? deadline else { return -1 }
        return CInt(clamping: max(0, (min(next - now, .seconds(86_400)).wholeNanoseconds + 999_999) / 1_000_000))
    }
}
