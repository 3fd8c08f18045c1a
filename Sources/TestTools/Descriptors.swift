// SPDX-License-Identifier: MIT

import Glibc

/// Prevents programs started by this process from inheriting a descriptor (`FD_CLOEXEC`).
package func closeOnExec(_ descriptor: CInt) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
