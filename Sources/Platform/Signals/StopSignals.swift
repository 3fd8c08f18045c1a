// SPDX-License-Identifier: MIT

package import Instants

/// What each signal that asks for the end means: a value.
package struct StopSignals {
    package enum Meaning: Hashable {
        case finish
        case exitAtOnce
        case nothing
    }

    private var first: MonotonicInstant?

    /// A key that bounces, `timeout` beside a terminal, a service manager that signals a process and its group: what
    /// comes within half a second is the same wish.
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
