// SPDX-License-Identifier: MIT
//
// Linux calls that only benchmarks make: thousands of sockets without a loop, and the cores that processes run on.

#ifndef CBENCHTOOLS_H
#define CBENCHTOOLS_H

/// sched_getaffinity(2): the cores that the calling thread may run on, a bit each, of the first 64; 0 where the kernel
/// does not say.
unsigned long long ac_cores(void);

/// sched_setaffinity(2): the calling thread, and whatever it starts from then on, runs on these cores alone. 0, or -1
/// with errno.
int ac_run_on(unsigned long long cores);

/// epoll_create1(2), close-on-exec: the descriptor, or -1 with errno.
int ac_epoll_open(void);

/// epoll_ctl(2), level-triggered: tells of `descriptor`, as `token`, when it can be read (or written), hung up or
/// broken. 0, or -1 with errno.
int ac_epoll_add(int epoll, int descriptor, unsigned int token, int for_writing);
int ac_epoll_change(int epoll, int descriptor, unsigned int token, int for_writing);

/// epoll_wait(2): stores the tokens of up to `capacity` descriptors (256 at most) that are ready. Their number, 0 after
/// so many milliseconds, or -1 with errno.
int ac_epoll_wait(int epoll, unsigned int *tokens, int capacity, int milliseconds);

#endif
