// SPDX-License-Identifier: MIT
//
// Linux calls that Swift's Glibc module lacks (they need _GNU_SOURCE), as prefixed functions.
// No system header is included here: headers that reach <sys/select.h> break the first debug build.

#ifndef CLINUX_H
#define CLINUX_H

#include "CLibrary.h"

/// renameat2(2) with RENAME_NOREPLACE: 0, or -1 with errno (EEXIST if `to` exists, EINVAL if the file system does not
/// support it).
int ac_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to);

/// renameat2(2) with RENAME_EXCHANGE within a folder: 0, or -1 with errno (EINVAL if the file system does not support
/// it).
int ac_exchange(int folder, const char *one, const char *other);

/// copy_file_range(2): copies up to `length` bytes between files at these offsets: how many, or -1 with errno.
long ac_copy_file_range(int from, long *from_offset, int to, long *to_offset, unsigned long length);

/// syncfs(2): writes back the whole file system that contains the descriptor. 0, or -1 with errno.
int ac_syncfs(int descriptor);

/// fsetxattr(2): sets an attribute of a file or folder: 0, or -1 with errno (EOPNOTSUPP if the file system has no such
/// attributes).
int ac_set_attribute(int descriptor, const char *attribute, const void *value, unsigned long length);

/// fgetxattr(2): stores an attribute's value, and returns its length, or -1 with errno (ENODATA if the attribute is
/// missing, ERANGE if the value is longer than `length`, EOPNOTSUPP as above).
long ac_attribute(int descriptor, const char *attribute, void *value, unsigned long length);

/// fremovexattr(2): 0, or -1 with errno (ENODATA if the attribute is missing).
int ac_unmark(int descriptor, const char *attribute);

/// statx(2) of a name, without following a link, mounting anything or asking a server: stores the device number as
/// fstat(2) would report it. 0, or -1 with errno.
int ac_device(int folder, const char *name, unsigned long long *device);

/// prctl(2) with PR_SET_NAME: names the calling thread. Names are cut at 15 bytes.
void ac_name_thread(const char *name);

/// mallopt(3) with M_ARENA_MAX: limits the number of heaps that all threads share.
void ac_limit_heaps(int count);

/// malloc_trim(3): returns free pages of all heaps to the system.
void ac_trim_heap(void);

/// A program for ac_spawn to start.
typedef struct {
    const char *path;
    /// Both lists end with a null pointer. The first argument is the program's own name.
    char *const *arguments;
    char *const *environment;
    /// The working folder; NULL for the working folder of this process.
    const char *folder;
    /// Descriptor N of the new process is descriptors[N], or /dev/null if that is negative. The new process inherits no
    /// other descriptors.
    const int *descriptors;
    int descriptor_count;
    /// Whether the kernel kills the process when the calling thread ends.
    int ends_with_thread;
    /// Limits on bytes of address space, processor seconds and open descriptors. The current hard limits apply as well;
    /// a negative value sets no limit.
    long long memory;
    long long processor_seconds;
    long long open_files;
} ac_spawn_plan;

/// The step at which ac_spawn failed; 0 for creating the process.
enum { AC_SPAWN_FOLDER = 1, AC_SPAWN_DESCRIPTORS, AC_SPAWN_LIMITS, AC_SPAWN_PROGRAM };

/// clone(2) and execve(2): starts a program as the leader of its own process group, without core dumps, and with no
/// signal blocked or ignored. Blocks the calling thread until the program has been loaded. Stores the process id, and a
/// descriptor that becomes readable when the process ends (close-on-exec; -1 if the kernel does not support it).
/// Returns 0, or an error number, with the step in `step`.
int ac_spawn(const ac_spawn_plan *plan, int *process, int *descriptor, int *step);

/// pipe2(2), close-on-exec: 0, or -1 with errno.
int ac_open_pipe(int *reading, int *writing);

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC: the descriptor, or -1 with errno. `address` has room for `length`
/// bytes; `length` becomes the number of bytes used.
int ac_accept(int listener, void *address, unsigned int *length);

/// memfd_create(2), close-on-exec: an empty file in memory, whose name is for debugging only. The descriptor, or -1
/// with errno.
int ac_memfd(const char *name);

/// eventfd(2), close-on-exec and non-blocking. The descriptor, or -1 with errno.
int ac_open_event_counter(void);

/// A socket of NETLINK_ROUTE (rtnetlink(7)), non-blocking and close-on-exec, that receives changes of links, addresses
/// and routes. The descriptor, or -1 with errno (EPERM, EACCES, EAFNOSUPPORT or EPROTONOSUPPORT if it is not allowed).
int ac_open_route_changes(void);

/// timerfd_create(2) of CLOCK_REALTIME, non-blocking and close-on-exec, with TFD_TIMER_CANCEL_ON_SET and an expiry that
/// is never reached: after the clock was set, one read fails with ECANCELED. The descriptor, or -1 with errno.
int ac_open_clock_steps(void);

/// open(2) with O_PATH, close-on-exec: resolves a path without opening the file. The descriptor, or -1 with errno.
int ac_find(const char *path);

/// fstatfs(2): 1 if the file lies in a file system whose contents the kernel generates on reading (proc, sysfs,
/// debugfs, tracefs), else 0.
int ac_is_of_kernel(int descriptor);

/// epoll_create1(2), close-on-exec: a descriptor that is readable while any descriptor in its set is. -1 with errno.
int ac_open_poll_set(void);

/// epoll_ctl(2): adds or removes a descriptor. The set is readable while one of its descriptors is readable or at its
/// end. Returns 0, or -1 with errno.
int ac_poll_set_add(int set, int descriptor);
int ac_poll_set_remove(int set, int descriptor);

/// epoll_wait(2) without waiting: writes up to `capacity` readable descriptors, at most 64. Returns their number, or -1
/// with errno.
int ac_poll_set_ready(int set, int *descriptors, int capacity);

/// timerfd_create(2) with the monotonic clock, close-on-exec and non-blocking: readable once its time has come. The
/// descriptor, or -1 with errno.
int ac_open_alarm(void);

/// timerfd_settime(2): fires the alarm once after this many milliseconds; 0 cancels it. 0, or -1 with errno.
int ac_set_alarm(int alarm, long long milliseconds);
/// The process's terminal, delivering single keys without echo. Only one thread at a time may call prepare or enter,
/// with SIGTTOU blocked. prepare chooses the terminal, and restores its settings if the process crashes; it returns 0,
/// or -1 with errno. enter sets the mode and may be repeated; it returns 1, or 0 in the background, where the mode must
/// not be set, or -1 with errno.
int ac_terminal_prepare(int descriptor);
int ac_terminal_enter(void);

/// Restores the terminal's settings if enter has changed them. Callable from any thread; async-signal-safe.
void ac_terminal_leave(void);

/// signalfd(2) of signals that all threads block, non-blocking and close-on-exec. The descriptor, or -1 with errno.
int ac_open_signals(const int *numbers, int count);

/// The number of the next pending signal, or 0.
int ac_next_signal(int descriptor);

// MARK: Text

/// iconv_open(3): whether text of the charset can be converted to UTF-8. 1 or 0.
int ac_knows_charset(const char *charset);

/// iconv(3): converts text to UTF-8. U+FFFD takes the place of a byte without a character; a character that is cut off
/// at the end is left out. `room` is the size of `out`, four bytes for each byte of text. The number of bytes written,
/// or -1 if the charset is not known.
long ac_convert_text(
    const char *charset, const unsigned char *bytes, unsigned long count, unsigned char *out, unsigned long room);

// MARK: Sockets

/// The user of the process that connected a Unix socket (SO_PEERCRED). Returns 0, or -1 with errno.
int ac_peer_user(int descriptor, unsigned int *user);

#endif
