// SPDX-License-Identifier: MIT

import Instants

/// Decides when to ask a process to end, and when to kill it.
struct EndOrders {
    /// Why we ended a process.
    enum Cause: Hashable, Sendable {
        case deadline
        case wish
    }

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
    /// Nil unless we ended the process.
    private(set) var cause: Cause?

    init(deadline: MonotonicInstant?, grace: Duration) {
        self.deadline = deadline
        self.grace = grace
    }

    /// The signal due now; nil if none is due. `wish` is the order that was requested; it is passed on every call.
    mutating func order(at now: MonotonicInstant, wish: Order?) -> Order? {
        guard !isKilled else { return nil }
        let isOverdue = deadline.map { $0 <= now } ?? false
        if wish == .kill || killAt.map({ $0 <= now }) ?? false {
            isKilled = true
            cause = cause ?? .wish
            return .kill
        }
        guard killAt == nil, wish == .ask || isOverdue else { return nil }
        cause = isOverdue ? .deadline : .wish
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
