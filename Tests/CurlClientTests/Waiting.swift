// SPDX-License-Identifier: MIT

import Glibc

/// Lets a server's thread pause for a millisecond, so that what it sends arrives in two pieces. Not a test's wait: the
/// outcome does not depend on it.
func usleepBriefly() {
    poll(nil, 0, 1)
}
