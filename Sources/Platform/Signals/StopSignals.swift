// SPDX-License-Identifier: MIT

package import Instants

/// Decides what each signal that requests the end means.
package struct StopSignals {
    package enum Meaning: Hashable {
        case finish
        case exitAtOnce
        case nothing
    }

    private var first: MonotonicInstant?

    /// Signals within half a second are the same request: a bouncing key, `timeout` alongside a terminal, a service
    /// manager that signals a process and its group.
    private static let together = Duration.milliseconds(500)

    package init() {}

    package mutating func hear(at now: MonotonicInstant) -> Meaning {
        guard let first else {
            first = now
            return .finish
        }
        return now - first < Self.together ? .nothing : .exitAtOnce
    }
}
