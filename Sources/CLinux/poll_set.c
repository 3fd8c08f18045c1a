// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CLinux.h"

#include <stddef.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>

int ac_open_poll_set(void) { return epoll_create1(EPOLL_CLOEXEC); }

int ac_poll_set_add(int set, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

int ac_poll_set_remove(int set, int descriptor) { return epoll_ctl(set, EPOLL_CTL_DEL, descriptor, NULL); }

int ac_poll_set_ready(int set, int *descriptors, int capacity) {
    struct epoll_event events[64];
    int most = sizeof events / sizeof events[0];
    int count = epoll_wait(set, events, capacity < most ? capacity : most, 0);
    for (int index = 0; index < count; index++) {
        descriptors[index] = events[index].data.fd;
    }
    return count;
}

int ac_open_alarm(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

int ac_set_alarm(int alarm, long long milliseconds) {
    struct itimerspec when = {0};
    when.it_value.tv_sec = milliseconds / 1000;
    when.it_value.tv_nsec = (long)(milliseconds % 1000) * 1000000;
    return timerfd_settime(alarm, 0, &when, NULL);
}
