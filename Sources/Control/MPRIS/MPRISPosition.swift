// SPDX-License-Identifier: MIT

package import Instants

/// A position that was read at an instant, and may have advanced since then.
package struct MPRISPosition: Hashable, Sendable {
    package var read: Duration
    package var at: MonotonicInstant
    package var isMoving: Bool

    package init(
        read: Duration = .zero, at: MonotonicInstant = MonotonicInstant(nanoseconds: 0), isMoving: Bool = false
    ) {
        self.read = read
        self.at = at
        self.isMoving = isMoving
    }

    func value(at now: MonotonicInstant) -> Duration { isMoving ? read + (now - at) : read }
}
