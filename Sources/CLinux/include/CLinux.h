// SPDX-License-Identifier: MIT
//
// Linux calls that Swift's Glibc module does not show (they need _GNU_SOURCE), behind prefixed functions.
// No system header is included here: headers that reach <sys/select.h> break the first debug build.

#ifndef CLINUX_H
#define CLINUX_H

#include "CLibrary.h"

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

/// mallopt(3) with M_ARENA_MAX: all threads allocate from at most so many heaps.
void ac_limit_heaps(int count);

/// A program to be started by ac_spawn.
typedef struct {
    const char *path;
    /// Both end with a null; the first argument is the program's own name.
    char *const *arguments;
    char *const *environment;
    /// Null: that of this process.
    const char *folder;
    /// Descriptor N of the new process is descriptors[N], or /dev/null where that is negative; it gets no others.
    const int *descriptors;
    int descriptor_count;
    /// Whether the kernel kills it when the calling thread ends.
    int ends_with_thread;
    /// Bytes of address space, seconds on a processor, open descriptors: at most what is allowed, and negative for just
    /// that.
    long long memory;
    long long processor_seconds;
    long long open_files;
} ac_spawn_plan;

/// What ac_spawn was doing when it failed, other than making a process.
enum { AC_SPAWN_FOLDER = 1, AC_SPAWN_DESCRIPTORS, AC_SPAWN_LIMITS, AC_SPAWN_PROGRAM };

/// clone(2) and execve(2): starts a program as the leader of a process group of its own, without a core, with no signal
/// blocked or ignored. Returns when the program has been loaded; the calling thread waits that long. Stores the process
/// id, and a descriptor that becomes readable when the process ends (close-on-exec; -1 on a kernel that has none).
/// 0, or an error number and at which step.
int ac_spawn(const ac_spawn_plan *plan, int *process, int *descriptor, int *step);

/// pipe2(2), close-on-exec: 0, or -1 with errno.
int ac_open_pipe(int *reading, int *writing);

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC: the descriptor, or -1 with errno. `address` has room for `length`
/// bytes, and `length` becomes what was used.
int ac_accept(int listener, void *address, unsigned int *length);

/// eventfd(2), close-on-exec and non-blocking. The descriptor, or -1 with errno.
int ac_open_event_counter(void);

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

/// epoll_create1(2): a descriptor that is readable while one of those is that were added to it; close-on-exec. -1 with
/// errno.
int ac_open_poll_set(void);

/// epoll_ctl(2): what belongs to a set makes it readable when it is readable itself, or at its end. 0, or -1 with errno.
int ac_poll_set_add(int set, int descriptor);
int ac_poll_set_remove(int set, int descriptor);

/// timerfd_create(2) with the monotonic clock: readable once its time has come; close-on-exec, non-blocking. -1 with
/// errno.
int ac_open_alarm(void);

/// timerfd_settime(2): the alarm goes off once after so many milliseconds; 0 takes it back. 0, or -1 with errno.
int ac_set_alarm(int alarm, long long milliseconds);
/// A terminal whose keys are heard one by one, without being shown. One for the process, and one thread at a time for
/// these two: prepare names it, and sees to it that a process which crashes leaves it as it was; enter sets the mode and
/// may be repeated: 1, or 0 in the background where it is not ours to set, or -1 with errno. The calling thread has
/// SIGTTOU blocked.
int ac_terminal_prepare(int descriptor);
int ac_terminal_enter(void);

/// Sets the terminal back to what it was, where enter has set it. Any thread; async-signal-safe.
void ac_terminal_leave(void);

/// signalfd(2) of signals that every thread blocks, non-blocking and close-on-exec. The descriptor, or -1 with errno.
int ac_open_signals(const int *numbers, int count);

/// The number of the next signal that has come there, or 0.
int ac_next_signal(int descriptor);

#endif
