// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int ac_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int ac_exchange(int folder, const char *one, const char *other) {
    return renameat2(folder, one, folder, other, RENAME_EXCHANGE);
}

long ac_copy_file_range(int from, long *from_offset, int to, long *to_offset, unsigned long length) {
    return copy_file_range(from, from_offset, to, to_offset, length, 0);
}

int ac_syncfs(int descriptor) {
    return syncfs(descriptor);
}

int ac_set_attribute(int descriptor, const char *attribute, const void *value, unsigned long length) {
    return fsetxattr(descriptor, attribute, value, length, 0);
}

long ac_attribute(int descriptor, const char *attribute, void *value, unsigned long length) {
    return fgetxattr(descriptor, attribute, value, length);
}

int ac_unmark(int descriptor, const char *attribute) {
    return fremovexattr(descriptor, attribute);
}

int ac_device(int folder, const char *name, unsigned long long *device) {
    struct statx status;
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
    if (statx(folder, name, flags, STATX_TYPE, &status) != 0) return -1;
    *device = makedev(status.stx_dev_major, status.stx_dev_minor);
    return 0;
}

void ac_name_thread(const char *name) {
    (void)prctl(PR_SET_NAME, name, 0, 0, 0);
}

void ac_limit_heaps(int count) {
    (void)mallopt(M_ARENA_MAX, count);
}

void ac_trim_heap(void) {
    (void)malloc_trim(0);
}

int ac_accept(int listener, void *address, unsigned int *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int ac_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int ac_open_event_counter(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int ac_open_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

static int close_failed(int descriptor) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int ac_open_route_changes(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl groups = {
        .nl_family = AF_NETLINK,
        .nl_groups =
            RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE,
    };
    if (bind(descriptor, (struct sockaddr *)&groups, sizeof groups) != 0) return close_failed(descriptor);
    return descriptor;
}

int ac_open_clock_steps(void) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (descriptor < 0) return -1;
    struct itimerspec never = {.it_value.tv_sec = INT64_MAX};
    if (timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) != 0) {
        return close_failed(descriptor);
    }
    return descriptor;
}

int ac_find(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

int ac_is_of_kernel(int descriptor) {
    struct statfs system;
    if (fstatfs(descriptor, &system) != 0) return 0;
    switch (system.f_type) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC: return 1;
    default: return 0;
    }
}

int ac_open_signals(const int *numbers, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int index = 0; index < count; index++) sigaddset(&set, numbers[index]);
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int ac_next_signal(int descriptor) {
    struct signalfd_siginfo information;
    return read(descriptor, &information, sizeof information) == sizeof information ? (int)information.ssi_signo : 0;
}

// MARK: Sockets

int ac_peer_user(int descriptor, unsigned int *user) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    *user = (unsigned int)credentials.uid;
    return 0;
}
