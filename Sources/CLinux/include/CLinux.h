// SPDX-License-Identifier: MIT
//
// Linux calls that Swift's Glibc module does not show (they need _GNU_SOURCE), behind prefixed functions.
// No system header is included here: headers that reach <sys/select.h> break the first debug build.

#ifndef CLINUX_H
#define CLINUX_H

/// renameat2(2) with RENAME_NOREPLACE: 0, or -1 with errno (EEXIST where `to` exists, EINVAL where the file system
/// cannot).
int clinux_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to);

/// syncfs(2): writes back everything of the file system that holds the descriptor. 0, or -1 with errno.
int clinux_syncfs(int descriptor);

/// fsetxattr(2) with an empty value: 0, or -1 with errno (EOPNOTSUPP where the file system has no such attributes).
int clinux_mark(int descriptor, const char *attribute);

/// fgetxattr(2) without the value: 0, or -1 with errno (ENODATA where the attribute is not there, EOPNOTSUPP as above).
int clinux_is_marked(int descriptor, const char *attribute);

/// fremovexattr(2): 0, or -1 with errno (ENODATA where there was none).
int clinux_unmark(int descriptor, const char *attribute);

/// statx(2) of a name, neither following a link nor mounting anything nor asking a server: stores the device as
/// fstat(2) would call it. 0, or -1 with errno.
int clinux_device(int folder, const char *name, unsigned long long *device);

/// pthread_setname_np(3) of the calling thread; what exceeds 15 bytes leaves it unnamed.
void clinux_name_thread(const char *name);

/// posix_spawn_file_actions_addclosefrom_np(3): the new process inherits no descriptor from `lowest` on. `actions` is a
/// posix_spawn_file_actions_t. 0, or an error number.
int clinux_spawn_close_from(void *actions, int lowest);

/// posix_spawn_file_actions_addchdir_np(3): the new process starts in `folder`. 0, or an error number.
int clinux_spawn_change_folder(void *actions, const char *folder);

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC: the descriptor, or -1 with errno. `address` has room for `length`
/// bytes, and `length` becomes what was used.
int clinux_accept(int listener, void *address, unsigned int *length);

/// eventfd(2), close-on-exec, as a semaphore where reads are to wait for a write, and non-blocking otherwise. The
/// descriptor, or -1 with errno.
int clinux_open_event_counter(int waits);

/// A socket of NETLINK_ROUTE (rtnetlink(7)), non-blocking and close-on-exec, that hears of links, of addresses and of
/// routes. The descriptor, or -1 with errno (EPERM, EACCES, EAFNOSUPPORT or EPROTONOSUPPORT where it is not allowed).
int clinux_open_route_changes(void);

/// timerfd_create(2) of CLOCK_REALTIME, non-blocking and close-on-exec, with TFD_TIMER_CANCEL_ON_SET and an expiry that
/// never comes: a read fails with ECANCELED once after the clock was set. The descriptor, or -1 with errno.
int clinux_open_clock_steps(void);

/// sched_getaffinity(2): the cores that the calling thread may run on, a bit each, of the first 64; 0 where the kernel
/// does not say.
unsigned long long clinux_cores(void);

/// sched_setaffinity(2): the calling thread, and whatever it starts from then on, runs on these cores alone. 0, or -1
/// with errno.
int clinux_run_on(unsigned long long cores);

/// epoll_create1(2), close-on-exec: the descriptor, or -1 with errno.
int clinux_epoll_open(void);

/// epoll_ctl(2), level-triggered: tells of `descriptor`, as `token`, when it can be read (or written), hung up or
/// broken. 0, or -1 with errno.
int clinux_epoll_add(int epoll, int descriptor, unsigned int token, int for_writing);
int clinux_epoll_change(int epoll, int descriptor, unsigned int token, int for_writing);

/// epoll_wait(2): stores the tokens of up to `capacity` descriptors (256 at most) that are ready. Their number, 0 after
/// so many milliseconds, or -1 with errno.
int clinux_epoll_wait(int epoll, unsigned int *tokens, int capacity, int milliseconds);

/// open(2) with O_PATH, close-on-exec: finds what a path leads to without opening it. The descriptor, or -1 with errno.
int clinux_find(const char *path);

/// fstatfs(2): 1 where the descriptor is of a file system whose files the kernel makes as they are read (proc, sysfs,
/// debugfs, tracefs), else 0.
int clinux_is_of_kernel(int descriptor);

#endif
