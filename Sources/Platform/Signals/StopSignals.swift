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

    /// Signals within half a second count as one request: a key may bounce, `timeout` and the terminal may both send
    /// one, and a service manager may signal both a process and its group.
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
