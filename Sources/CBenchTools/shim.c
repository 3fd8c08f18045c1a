// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CBenchTools.h"

#include <sched.h>
#include <sys/epoll.h>

unsigned long long ac_cores(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    unsigned long long cores = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
    for (int core = 0; core < 64; core++) {
        if (CPU_ISSET(core, &set)) cores |= 1ULL << core;
    }
    return cores;
}

int ac_run_on(unsigned long long cores) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int core = 0; core < 64; core++) {
        if (cores >> core & 1) CPU_SET(core, &set);
    }
    return sched_setaffinity(0, sizeof set, &set);
}

int ac_epoll_open(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

static int watch(int epoll, int operation, int descriptor, unsigned int token, int for_writing) {
    struct epoll_event event = {.events = for_writing ? EPOLLOUT : EPOLLIN, .data.u32 = token};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int ac_epoll_add(int epoll, int descriptor, unsigned int token, int for_writing) {
    return watch(epoll, EPOLL_CTL_ADD, descriptor, token, for_writing);
}

int ac_epoll_change(int epoll, int descriptor, unsigned int token, int for_writing) {
    return watch(epoll, EPOLL_CTL_MOD, descriptor, token, for_writing);
}

int ac_epoll_wait(int epoll, unsigned int *tokens, int capacity, int milliseconds) {
    struct epoll_event events[256];
    int most = (int)(sizeof events / sizeof events[0]);
    int count = epoll_wait(epoll, events, capacity < most ? capacity : most, milliseconds);
    for (int index = 0; index < count; index++) tokens[index] = events[index].data.u32;
    return count;
}
