// SPDX-License-Identifier: MIT

import CLinux

/// Configures how threads share the heap of this process.
package enum SharedHeap {
    /// Makes all threads use one heap, so that the loop reuses the memory that the main thread has freed after reading
    /// the command line. With a heap for each thread, a recording dirties 110 kB more. The loop does nearly all of the
    /// allocating, so threads do not wait for each other. Call this early, on the only thread of the process.
    package static func use() { ac_limit_heaps(1) }

    /// Returns the free pages in the middle of the heap to the system; the C library would otherwise keep them. Worth a
    /// call once starting is over: reading the command line takes more memory than a recording. May be called on any
    /// thread; other threads may wait for the heap for about a millisecond.
    package static func giveBack() { ac_trim_heap() }
}
