// SPDX-License-Identifier: MIT
//
// Linux calls for benchmarks and tests only: thousands of sockets without a loop, the cores that processes run on, and
// threads of other processes that are stopped.

#ifndef CBENCHTOOLS_H
#define CBENCHTOOLS_H

/// sched_getaffinity(2): the cores that the calling thread may run on, as a bit mask of the first 64; 0 on failure.
unsigned long long ac_cores(void);

/// sched_setaffinity(2): restricts the calling thread, and whatever it starts from now on, to these cores. Returns 0,
/// or -1 with errno.
int ac_run_on(unsigned long long cores);

/// epoll_create1(2), close-on-exec: the descriptor, or -1 with errno.
int ac_epoll_open(void);

/// epoll_ctl(2), level-triggered: ac_epoll_wait reports `token` when `descriptor` is readable (or writable, if
/// `for_writing`), hung up or broken. Returns 0, or -1 with errno.
int ac_epoll_add(int epoll, int descriptor, unsigned int token, int for_writing);
int ac_epoll_change(int epoll, int descriptor, unsigned int token, int for_writing);

/// epoll_wait(2): stores the tokens of up to `capacity` ready descriptors (256 at most). Returns their number, 0 after
/// `milliseconds`, or -1 with errno.
int ac_epoll_wait(int epoll, unsigned int *tokens, int capacity, int milliseconds);

/// ptrace(2): stops one thread of another process; the other threads of that process continue. All further calls for
/// the stopped thread must come from the calling thread; when the calling thread ends, the stopped thread continues.
/// Returns 0, or -1 with errno.
int ac_thread_stop(int thread);

/// Lets the stopped thread continue until it calls writev(2), and stops it again before the kernel has written
/// anything. The call blocks until the thread has stopped again. Returns 0, or -1 with errno (ESRCH if the thread has
/// ended).
int ac_thread_stop_in_write(int thread);

/// Whether the stopped thread has ended, because its process was killed: 1 or 0. The process cannot be reaped before
/// this has been called.
int ac_thread_has_ended(int thread);

#endif
