// SPDX-License-Identifier: MIT

import Glibc

/// Pauses a server's thread for a millisecond, so that its data arrives in two pieces. No test's outcome depends on the
/// pause.
func usleepBriefly() {
    poll(nil, 0, 1)
}
