// SPDX-License-Identifier: MIT

import Instants

/// Limits how often a process that dies is replaced.
struct RestartBudget {
    /// The most restarts within ``period``.
    static let most = 5
    static let period = Duration.seconds(60)

    private var restarts: [MonotonicInstant] = []

    /// Whether another restart is allowed now. If it is, the call counts it.
    mutating func allows(at now: MonotonicInstant) -> Bool {
        restarts.removeAll { now - $0 >= Self.period }
        guard restarts.count < Self.most else { return false }
        restarts.append(now)
        return true
    }
}
