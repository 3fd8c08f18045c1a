// SPDX-License-Identifier: MIT

import CLinux

/// How this process shares its memory among threads.
package enum SharedHeap {
    /// One heap for all threads: what the main thread has freed after reading the command line, the loop uses again.
    /// With a heap for each thread a recording dirties 110 kB more. The loop does nearly all of the allocating, so
    /// threads do not wait for each other. Early in the process, on its only thread.
    package static func use() { ac_limit_heaps(1) }
}
