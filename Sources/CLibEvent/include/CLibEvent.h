// SPDX-License-Identifier: MIT

// libevent behind opaque types and prefixed functions.
//
// No header of libevent is included here, and none that reaches <sys/select.h>: the module stays free of system types,
// which would clash with Swift's own Glibc module in the first debug build of a fresh clone.
//
// Only ac_event_wakeup is thread-safe: a base and its events belong to one thread at a time.

#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A struct event_base.
typedef struct ac_event_base ac_event_base;
/// A struct event: a timer, socket or signal.
typedef struct ac_event ac_event;

/// The events that a socket callback gets in `what`.
enum { AC_EVENT_READ = 0x02, AC_EVENT_WRITE = 0x04 };

/// Called for an event; `descriptor` is the number of a signal, and -1 for a timer.
typedef void (*ac_event_callback)(int descriptor, short what, void *_Nullable context);

/// The version of the library at run time, as 0xMMmmpp00 (event_get_version_number).
uint32_t ac_event_library_version(void);

/// Creates a base on epoll, without locks, with the change list and the coarse clock; NULL with errno if there are no
/// descriptors left (event_base_new_with_config).
ac_event_base *_Nullable ac_event_base_create(void);
/// Frees a base, whose events must have been freed (event_base_free).
void ac_event_base_free(ac_event_base *base);
/// Polls once, waiting if `wait`, and calls back everything due (event_base_loop). 0, or -1 with errno.
int ac_event_base_turn(ac_event_base *base, bool wait);

/// Creates an unarmed timer; NULL without memory (evtimer_new).
ac_event *_Nullable ac_event_timer_create(ac_event_base *base, ac_event_callback callback, void *context);
/// Creates a watch of a descriptor, with no interest yet; NULL without memory (event_new).
ac_event *_Nullable ac_event_socket_create(ac_event_base *base, int descriptor, ac_event_callback callback,
                                           void *context);
/// Creates a watch of a signal, active at once; NULL without memory (evsignal_new).
ac_event *_Nullable ac_event_signal_create(ac_event_base *base, int number, ac_event_callback callback,
                                           void *context);
/// Cancels and frees an event (event_free).
void ac_event_free(ac_event *event);

/// Arms a timer for an instant in nanoseconds of CLOCK_MONOTONIC; it never fires earlier by libevent's clock.
int ac_event_timer_arm(ac_event *event, int64_t deadline);
/// Sets the events to watch, level-triggered. If neither is wanted, the watch is paused.
int ac_event_socket_want(ac_event *event, bool read, bool write);
/// Cancels an event, even one that is due in this turn (event_del).
void ac_event_cancel(ac_event *event);

/// Creates an eventfd whose write ends a base's wait. The base watches it until the event is freed. Returns -1 with
/// errno if there are no descriptors left; otherwise sets `*event`.
int ac_event_wakeup_create(ac_event_base *base, ac_event *_Nullable *_Nonnull event);
/// Ends the wait of the base; thread-safe (write).
void ac_event_wakeup(int descriptor);

#pragma clang assume_nonnull end
