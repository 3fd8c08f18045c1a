// SPDX-License-Identifier: MIT
//
// Linux calls for benchmarks only: thousands of sockets without a loop, and the cores that processes run on.

#ifndef CBENCHTOOLS_H
#define CBENCHTOOLS_H

/// sched_getaffinity(2): the cores that the calling thread may run on, as a bit mask of the first 64; 0 on failure.
unsigned long long ac_cores(void);

/// sched_setaffinity(2): restricts the calling thread, and whatever it starts from now on, to these cores. 0, or -1
/// with errno.
int ac_run_on(unsigned long long cores);

/// epoll_create1(2), close-on-exec: the descriptor, or -1 with errno.
int ac_epoll_open(void);

/// epoll_ctl(2), level-triggered: reports `descriptor` by `token` when it is readable (or writable), hung up or broken.
/// 0, or -1 with errno.
int ac_epoll_add(int epoll, int descriptor, unsigned int token, int for_writing);
int ac_epoll_change(int epoll, int descriptor, unsigned int token, int for_writing);

/// epoll_wait(2): stores the tokens of up to `capacity` ready descriptors (256 at most). Returns their number, 0 after
/// `milliseconds`, or -1 with errno.
int ac_epoll_wait(int epoll, unsigned int *tokens, int capacity, int milliseconds);

#endif
