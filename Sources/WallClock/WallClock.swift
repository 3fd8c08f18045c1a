// SPDX-License-Identifier: MIT

import EventLoop
package import Instants

/// The wall clock of the machine.
package enum WallClock {
    /// The current time. Any thread.
    package static func now() -> WallInstant { SystemClock.wall }
}
