// SPDX-License-Identifier: MIT

import Glibc

/// Keeps a descriptor from the programs that this process starts (`FD_CLOEXEC`).
func closeOnExec(_ descriptor: CInt) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
