// SPDX-License-Identifier: MIT

#define _GNU_SOURCE

#include "CLibEvent.h"

#include <errno.h>
#include <event2/event.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#if LIBEVENT_VERSION_NUMBER < 0x02010c00
#error "libevent 2.1.12 or later is needed"
#endif

_Static_assert(AC_EVENT_READ == EV_READ && AC_EVENT_WRITE == EV_WRITE, "the bits are libevent's");

static struct event_base *base_of(ac_event_base *base) { return (struct event_base *)base; }
static struct event *event_of(ac_event *event) { return (struct event *)event; }

uint32_t ac_event_library_version(void) { return event_get_version_number(); }

ac_event_base *ac_event_base_create(void) {
    struct event_config *config = event_config_new();
    if (!config) {
        return NULL;
    }
    // No lock: only the eventfd crosses threads. No precise timers: they cost a timerfd and a system call per arming,
    // and milliseconds are precise enough. The change list saves epoll_ctl calls within a turn; it is safe because we
    // duplicate no watched descriptor.
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK | EVENT_BASE_FLAG_IGNORE_ENV |
                                      EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
    event_config_require_features(config, EV_FEATURE_ET | EV_FEATURE_O1);
    struct event_base *base = event_base_new_with_config(config);
    event_config_free(config);
    return (ac_event_base *)base;
}

void ac_event_base_free(ac_event_base *base) { event_base_free(base_of(base)); }

int ac_event_base_turn(ac_event_base *base, bool wait) {
    int flags = EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY | (wait ? 0 : EVLOOP_NONBLOCK);
    return event_base_loop(base_of(base), flags) < 0 ? -1 : 0;
}

ac_event *ac_event_timer_create(ac_event_base *base, ac_event_callback callback, void *context) {
    return (ac_event *)event_new(base_of(base), -1, 0, callback, context);
}

ac_event *ac_event_socket_create(ac_event_base *base, int descriptor, ac_event_callback callback, void *context) {
    return (ac_event *)event_new(base_of(base), descriptor, EV_PERSIST, callback, context);
}

ac_event *ac_event_signal_create(ac_event_base *base, int number, ac_event_callback callback, void *context) {
    struct event *event = event_new(base_of(base), number, EV_SIGNAL | EV_PERSIST, callback, context);
    if (event && event_add(event, NULL) != 0) {
        event_free(event);
        event = NULL;
    }
    return (ac_event *)event;
}

void ac_event_free(ac_event *event) { event_free(event_of(event)); }

int ac_event_timer_arm(ac_event *event, int64_t deadline) {
    // libevent uses CLOCK_MONOTONIC_COARSE, which lags by up to a tick of the kernel (4 ms). Calculate the distance
    // with the same clock, otherwise every timer would fire early by the lag.
    struct timespec coarse;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &coarse);
    int64_t now = (int64_t)coarse.tv_sec * 1000000000 + coarse.tv_nsec;
    int64_t microseconds = deadline <= now ? 0 : (deadline - now - 1) / 1000 + 1;
    struct timeval distance = {.tv_sec = microseconds / 1000000, .tv_usec = microseconds % 1000000};
    return event_add(event_of(event), &distance);
}

int ac_event_socket_want(ac_event *event, bool read, bool write) {
    struct event *own = event_of(event);
    event_del(own);
    if (!read && !write) {
        return 0;
    }
    short what = EV_PERSIST | (read ? EV_READ : 0) | (write ? EV_WRITE : 0);
    if (event_assign(own, event_get_base(own), event_get_fd(own), what, event_get_callback(own),
                     event_get_callback_arg(own)) != 0) {
        return -1;
    }
    return event_add(own, NULL);
}

void ac_event_cancel(ac_event *event) { event_del(event_of(event)); }

static void woken(int descriptor, short what, void *context) {
    // The counter need not be read: the watch is edge-triggered, so each write wakes the base once, and the counter's
    // limit of 2^64 writes is never reached.
    (void)descriptor, (void)what, (void)context;
}

int ac_event_wakeup_create(ac_event_base *base, ac_event **event) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor < 0) {
        return -1;
    }
    struct event *own = event_new(base_of(base), descriptor, EV_READ | EV_PERSIST | EV_ET, woken, NULL);
    if (!own || event_add(own, NULL) != 0) {
        if (own) {
            event_free(own);
        }
        close(descriptor);
        errno = ENOMEM;
        return -1;
    }
    *event = (ac_event *)own;
    return descriptor;
}

void ac_event_wakeup(int descriptor) {
    uint64_t one = 1;
    while (write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {
    }
}
