// SPDX-License-Identifier: MIT
//
// libsystemd's D-Bus (sd-bus) behind prefixed functions, typed by its own headers. The library is opened (dlopen(3))
// when it is first needed: a program that never asks for it neither loads nor needs it. No system header is included
// here; see CLinux.h.
//
// A bus and its messages belong to one thread at a time. What returns int returns a negative error number on failure.

#ifndef CLIBSYSTEMD_H
#define CLIBSYSTEMD_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A connection to a message bus (sd_bus), with what it calls.
typedef struct ac_bus ac_bus;
/// A message that has come or is to be sent (sd_bus_message).
typedef struct ac_bus_message ac_bus_message;

/// Opens the library, once in the life of the process; NULL, or why it cannot be had. Thread-safe.
const char *_Nullable ac_systemd_problem(void);

/// A method call to the object has come. It is the bus's, and there until the handler returns.
typedef void (*ac_bus_call_handler)(void *_Nullable context, ac_bus_message *call);
/// The bus has answered a request for a name: whether it is ours now.
typedef void (*ac_bus_name_handler)(void *_Nullable context, bool is_ours);

/// Begins to connect to a bus as one of its clients, and speaks for one object there (sd_bus_new, sd_bus_set_address,
/// sd_bus_add_object, sd_bus_start). Waits for nothing. The handlers are called by ac_bus_process alone. Needs the
/// library.
int ac_bus_open(ac_bus *_Nullable *_Nonnull result, const char *address, const char *object, ac_bus_call_handler on_call,
                ac_bus_name_handler on_name, void *_Nullable context);
/// Closes the connection without sending what waits, and frees it; allowed inside of a handler.
void ac_bus_close(ac_bus *bus);

/// Asks for a name that nobody else has; the name handler is told (sd_bus_request_name_async).
int ac_bus_request_name(ac_bus *bus, const char *name);

/// Does one piece of work: 0 where there was none (sd_bus_process).
int ac_bus_process(ac_bus *bus);
/// What to poll for that: the descriptor, POLLIN and POLLOUT, and an instant of CLOCK_MONOTONIC in microseconds, which
/// is UINT64_MAX for none (sd_bus_get_fd, sd_bus_get_events, sd_bus_get_timeout).
int ac_bus_poll(ac_bus *bus, int *descriptor, int *events, uint64_t *deadline);
/// Messages that wait to be written (sd_bus_get_n_queued_write).
uint64_t ac_bus_unsent(ac_bus *bus);

/// The parts of a call's head; NULL where it has none.
const char *_Nullable ac_bus_call_interface(ac_bus_message *call);
const char *_Nullable ac_bus_call_member(ac_bus_message *call);
/// The types of all that a message carries.
const char *_Nullable ac_bus_signature(ac_bus_message *message);

/// Reads the next value (sd_bus_message_read_basic): 0 at the end. A string is the message's.
int ac_bus_read(ac_bus_message *message, char type, void *value);
/// The type of the next value, and what is inside of a container (sd_bus_message_peek_type): 0 at the end.
int ac_bus_peek(ac_bus_message *message, char *type, const char *_Nullable *_Nonnull contents);
int ac_bus_enter(ac_bus_message *message, char type, const char *contents);
int ac_bus_leave(ac_bus_message *message);

/// The answer to a call, or a signal of an object; to be filled, sent and freed.
int ac_bus_new_reply(ac_bus_message *call, ac_bus_message *_Nullable *_Nonnull result);
int ac_bus_new_signal(ac_bus *bus, const char *object, const char *interface, const char *member,
                      ac_bus_message *_Nullable *_Nonnull result);
/// Appends a value: a pointer to it, or the string itself (sd_bus_message_append_basic).
int ac_bus_append(ac_bus_message *message, char type, const void *value);
int ac_bus_open_container(ac_bus_message *message, char type, const char *contents);
int ac_bus_close_container(ac_bus_message *message);
/// Sends it, or queues it where the bus takes nothing; a reply that nobody wants is dropped (sd_bus_send).
int ac_bus_send(ac_bus_message *message);
void ac_bus_free(ac_bus_message *message);
/// Answers a call with an error (sd_bus_reply_method_errorf).
int ac_bus_refuse(ac_bus_message *call, const char *name, const char *text);

#pragma clang assume_nonnull end

#endif
