// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int clinux_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int clinux_syncfs(int descriptor) {
    return syncfs(descriptor);
}

int clinux_mark(int descriptor, const char *attribute) {
    return fsetxattr(descriptor, attribute, "", 0, 0);
}

int clinux_is_marked(int descriptor, const char *attribute) {
    return fgetxattr(descriptor, attribute, 0, 0) < 0 ? -1 : 0;
}

int clinux_unmark(int descriptor, const char *attribute) {
    return fremovexattr(descriptor, attribute);
}

int clinux_device(int folder, const char *name, unsigned long long *device) {
    struct statx status;
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
    if (statx(folder, name, flags, STATX_TYPE, &status) != 0) return -1;
    *device = makedev(status.stx_dev_major, status.stx_dev_minor);
    return 0;
}

void clinux_name_thread(const char *name) {
    (void)pthread_setname_np(pthread_self(), name);
}

int clinux_spawn_close_from(void *actions, int lowest) {
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}

int clinux_spawn_change_folder(void *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int clinux_accept(int listener, void *address, unsigned int *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_open_event_counter(int waits) {
    return eventfd(0, EFD_CLOEXEC | (waits ? EFD_SEMAPHORE : EFD_NONBLOCK));
}

static int close_failed(int descriptor) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int clinux_open_route_changes(void) {
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

int clinux_open_clock_steps(void) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (descriptor < 0) return -1;
    struct itimerspec never = {.it_value.tv_sec = INT64_MAX};
    if (timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) != 0) {
        return close_failed(descriptor);
    }
    return descriptor;
}

unsigned long long clinux_cores(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    unsigned long long cores = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
    for (int core = 0; core < 64; core++) {
        if (CPU_ISSET(core, &set)) cores |= 1ULL << core;
    }
    return cores;
}

int clinux_run_on(unsigned long long cores) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int core = 0; core < 64; core++) {
        if (cores >> core & 1) CPU_SET(core, &set);
    }
    return sched_setaffinity(0, sizeof set, &set);
}

int clinux_epoll_open(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static int watch(int epoll, int operation, int descriptor, unsigned int token, int for_writing) {
    struct epoll_event event = {.events = for_writing ? EPOLLOUT : EPOLLIN, .data.u32 = token};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int clinux_epoll_add(int epoll, int descriptor, unsigned int token, int for_writing) {
    return watch(epoll, EPOLL_CTL_ADD, descriptor, token, for_writing);
}

int clinux_epoll_change(int epoll, int descriptor, unsigned int token, int for_writing) {
    return watch(epoll, EPOLL_CTL_MOD, descriptor, token, for_writing);
}

int clinux_epoll_wait(int epoll, unsigned int *tokens, int capacity, int milliseconds) {
    struct epoll_event events[256];
    int most = (int)(sizeof events / sizeof events[0]);
    int count = epoll_wait(epoll, events, capacity < most ? capacity : most, milliseconds);
    for (int index = 0; index < count; index++) tokens[index] = events[index].data.u32;
    return count;
}

int clinux_find(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

int clinux_is_of_kernel(int descriptor) {
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
