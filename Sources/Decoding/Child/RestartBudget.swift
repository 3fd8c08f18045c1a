// SPDX-License-Identifier: MIT

import Instants

/// How often a program that dies may be started anew. A value.
struct RestartBudget {
    /// So many times within ``period``.
    static let most = 5
    static let period = Duration.seconds(60)

    private var restarts: [MonotonicInstant] = []

    /// Whether it may be started now; counts where it may.
    mutating func allows(at now: MonotonicInstant) -> Bool {
        restarts.removeAll { now - $0 >= Self.period }
        guard restarts.count < Self.most else { return false }
        restarts.append(now)
        return true
    }
}
