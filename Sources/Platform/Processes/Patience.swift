// SPDX-License-Identifier: MIT

import Instants

/// When a process is asked to end, and when it is made to: a value.
struct Patience {
    /// Why a process was ended by us.
    enum Cause: Hashable, Sendable {
        case deadline
        case wish
    }

    enum Order: Hashable {
        /// SIGTERM.
        case ask
        /// SIGKILL.
        case kill
    }

    private let deadline: MonotonicInstant?
    private let grace: Duration
    private var killAt: MonotonicInstant?
    private var isKilled = false
    /// Nil where nobody has ended it.
    private(set) var cause: Cause?

    init(deadline: MonotonicInstant?, grace: Duration) {
        self.deadline = deadline
        self.grace = grace
    }

    /// What is due now; nil where that is nothing. `wish` is what somebody wants, again and again.
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

    /// How long to wait for what is due by itself, as `poll` takes it: rounded up, so that it is due then.
    func milliseconds(at now: MonotonicInstant) -> CInt {
        guard !isKilled, let next = killAt ?? deadline else { return -1 }
        return CInt(clamping: max(0, (min(next - now, .seconds(86_400)).wholeNanoseconds + 999_999) / 1_000_000))
    }
}
