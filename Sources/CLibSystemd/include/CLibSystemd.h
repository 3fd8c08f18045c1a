// SPDX-License-Identifier: MIT
//
// libsystemd's D-Bus (sd-bus) behind prefixed functions, typed by its own headers. The library is opened on first use
// (dlopen(3)): a program that never uses it neither loads nor needs it. No system header is included here; see
// CLinux.h.
//
// A bus and its messages belong to one thread at a time. An int result is a negative error number on failure.

#ifndef CLIBSYSTEMD_H
#define CLIBSYSTEMD_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A connection to a message bus (sd_bus), with its handlers.
typedef struct ac_bus ac_bus;
/// A received or outgoing message (sd_bus_message).
typedef struct ac_bus_message ac_bus_message;

/// Opens the library, once per process. Returns NULL, or why it is unavailable. Thread-safe.
const char *_Nullable ac_systemd_problem(void);

/// Called when a method call to the object has arrived. The bus owns the message, which is valid until the handler
/// returns.
typedef void (*ac_bus_call_handler)(void *_Nullable context, ac_bus_message *call);
/// Called when the bus has replied to a request for a name. `is_ours`: whether this connection owns the name now.
typedef void (*ac_bus_name_handler)(void *_Nullable context, bool is_ours);

/// Starts connecting to a bus as a client that answers for one object (sd_bus_new, sd_bus_set_address,
/// sd_bus_add_object, sd_bus_start). Never blocks. Only ac_bus_process calls the handlers. Needs the library.
int ac_bus_open(ac_bus *_Nullable *_Nonnull result, const char *address, const char *object, ac_bus_call_handler on_call,
                ac_bus_name_handler on_name, void *_Nullable context);
/// Closes the connection without sending queued messages, and frees it; allowed inside a handler.
void ac_bus_close(ac_bus *bus);

/// Requests a name that nobody else owns; the name handler gets the reply (sd_bus_request_name_async).
int ac_bus_request_name(ac_bus *bus, const char *name);

/// Performs one piece of work; returns 0 if there was none (sd_bus_process).
int ac_bus_process(ac_bus *bus);
/// What to poll for before ac_bus_process: the descriptor, POLLIN and POLLOUT, and an instant of CLOCK_MONOTONIC in
/// microseconds, UINT64_MAX for none (sd_bus_get_fd, sd_bus_get_events, sd_bus_get_timeout).
int ac_bus_poll(ac_bus *bus, int *descriptor, int *events, uint64_t *deadline);
/// The number of messages queued for writing (sd_bus_get_n_queued_write).
uint64_t ac_bus_unsent(ac_bus *bus);

/// Fields of a call's header; NULL if the header lacks the field.
const char *_Nullable ac_bus_call_interface(ac_bus_message *call);
const char *_Nullable ac_bus_call_member(ac_bus_message *call);
/// The type signature of the whole message.
const char *_Nullable ac_bus_signature(ac_bus_message *message);

/// Reads the next value (sd_bus_message_read_basic). Returns 0 at the end of the message. A string that is read belongs
/// to the message.
int ac_bus_read(ac_bus_message *message, char type, void *value);
/// Reports the type of the next value, and of the contents if it is a container (sd_bus_message_peek_type). Returns 0
/// at the end.
int ac_bus_peek(ac_bus_message *message, char *type, const char *_Nullable *_Nonnull contents);
int ac_bus_enter(ac_bus_message *message, char type, const char *contents);
int ac_bus_leave(ac_bus_message *message);

/// Creates a reply to a call, or a signal of an object. The caller fills, sends and frees it.
int ac_bus_new_reply(ac_bus_message *call, ac_bus_message *_Nullable *_Nonnull result);
int ac_bus_new_signal(ac_bus *bus, const char *object, const char *interface, const char *member,
                      ac_bus_message *_Nullable *_Nonnull result);
/// Appends a value, given as a pointer to it or as the string itself (sd_bus_message_append_basic).
int ac_bus_append(ac_bus_message *message, char type, const void *value);
int ac_bus_open_container(ac_bus_message *message, char type, const char *contents);
int ac_bus_close_container(ac_bus_message *message);
/// Sends the message, or queues it if the bus takes no data; drops a reply that nobody expects (sd_bus_send).
int ac_bus_send(ac_bus_message *message);
void ac_bus_free(ac_bus_message *message);
/// Replies to a call with an error (sd_bus_reply_method_errorf).
int ac_bus_refuse(ac_bus_message *call, const char *name, const char *text);

#pragma clang assume_nonnull end

#endif
