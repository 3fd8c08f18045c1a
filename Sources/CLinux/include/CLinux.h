// SPDX-License-Identifier: MIT
//
// Linux calls that Swift's Glibc module does not show (they need _GNU_SOURCE), behind prefixed functions.
// No system header is included here: headers that reach <sys/select.h> break the first debug build.

#ifndef CLINUX_H
#define CLINUX_H

/// renameat2(2) with RENAME_NOREPLACE: 0, or -1 with errno (EEXIST where `to` exists, EINVAL where the file system
/// cannot).
int ac_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to);

/// syncfs(2): writes back everything of the file system that holds the descriptor. 0, or -1 with errno.
int ac_syncfs(int descriptor);

/// fsetxattr(2) with an empty value: 0, or -1 with errno (EOPNOTSUPP where the file system has no such attributes).
int ac_mark(int descriptor, const char *attribute);

/// fgetxattr(2) without the value: 0, or -1 with errno (ENODATA where the attribute is not there, EOPNOTSUPP as above).
int ac_is_marked(int descriptor, const char *attribute);

/// fremovexattr(2): 0, or -1 with errno (ENODATA where there was none).
int ac_unmark(int descriptor, const char *attribute);

/// statx(2) of a name, neither following a link nor mounting anything nor asking a server: stores the device as
/// fstat(2) would call it. 0, or -1 with errno.
int ac_device(int folder, const char *name, unsigned long long *device);

/// prctl(2) with PR_SET_NAME: names the calling thread; longer names are cut at 15 bytes.
void ac_name_thread(const char *name);

/// posix_spawn_file_actions_addclosefrom_np(3): the new process inherits no descriptor from `lowest` on. `actions` is a
/// posix_spawn_file_actions_t. 0, or an error number.
int ac_spawn_close_from(void *actions, int lowest);

/// posix_spawn_file_actions_addchdir_np(3): the new process starts in `folder`. 0, or an error number.
int ac_spawn_change_folder(void *actions, const char *folder);

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC: the descriptor, or -1 with errno. `address` has room for `length`
/// bytes, and `length` becomes what was used.
int ac_accept(int listener, void *address, unsigned int *length);

/// eventfd(2), close-on-exec, as a semaphore where reads are to wait for a write, and non-blocking otherwise. The
/// descriptor, or -1 with errno.
int ac_open_event_counter(int waits);

/// A socket of NETLINK_ROUTE (rtnetlink(7)), non-blocking and close-on-exec, that hears of links, of addresses and of
/// routes. The descriptor, or -1 with errno (EPERM, EACCES, EAFNOSUPPORT or EPROTONOSUPPORT where it is not allowed).
int ac_open_route_changes(void);

/// timerfd_create(2) of CLOCK_REALTIME, non-blocking and close-on-exec, with TFD_TIMER_CANCEL_ON_SET and an expiry that
/// never comes: a read fails with ECANCELED once after the clock was set. The descriptor, or -1 with errno.
int ac_open_clock_steps(void);

/// open(2) with O_PATH, close-on-exec: finds what a path leads to without opening it. The descriptor, or -1 with errno.
int ac_find(const char *path);

/// fstatfs(2): 1 where the descriptor is of a file system whose files the kernel makes as they are read (proc, sysfs,
/// debugfs, tracefs), else 0.
int ac_is_of_kernel(int descriptor);

#endif
