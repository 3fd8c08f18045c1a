// SPDX-License-Identifier: MIT

#define _GNU_SOURCE

#include "CLibSystemd.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>

// MARK: The library

#define EACH_FUNCTION(X)                                                                                               \
    X(sd_bus_new)                                                                                                      \
    X(sd_bus_set_address)                                                                                              \
    X(sd_bus_set_bus_client)                                                                                           \
    X(sd_bus_start)                                                                                                    \
    X(sd_bus_close)                                                                                                    \
    X(sd_bus_unref)                                                                                                    \
    X(sd_bus_add_object)                                                                                               \
    X(sd_bus_request_name_async)                                                                                       \
    X(sd_bus_process)                                                                                                  \
    X(sd_bus_get_fd)                                                                                                   \
    X(sd_bus_get_events)                                                                                               \
    X(sd_bus_get_timeout)                                                                                              \
    X(sd_bus_get_n_queued_write)                                                                                       \
    X(sd_bus_send)                                                                                                     \
    X(sd_bus_message_get_interface)                                                                                    \
    X(sd_bus_message_get_member)                                                                                       \
    X(sd_bus_message_get_signature)                                                                                    \
    X(sd_bus_message_is_method_error)                                                                                  \
    X(sd_bus_message_read_basic)                                                                                       \
    X(sd_bus_message_peek_type)                                                                                        \
    X(sd_bus_message_enter_container)                                                                                  \
    X(sd_bus_message_exit_container)                                                                                   \
    X(sd_bus_message_new_method_return)                                                                                \
    X(sd_bus_message_new_signal)                                                                                       \
    X(sd_bus_message_append_basic)                                                                                     \
    X(sd_bus_message_open_container)                                                                                   \
    X(sd_bus_message_close_container)                                                                                  \
    X(sd_bus_message_unref)                                                                                            \
    X(sd_bus_reply_method_errorf)

static struct {
#define MEMBER(function) __typeof__(function) *function;
    EACH_FUNCTION(MEMBER)
#undef MEMBER
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char fault[256];

static void note_fault(void) {
    const char *text = dlerror();
    snprintf(fault, sizeof fault, "%s", text ? text : "libsystemd cannot be opened");
}

static void load(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return note_fault();
#define FIND(function)                                                                                                 \
    if (!(api.function = (__typeof__(function) *)dlsym(library, #function))) return note_fault();
    EACH_FUNCTION(FIND)
#undef FIND
}

const char *ac_systemd_fault(void) {
    pthread_once(&once, load);
    return fault[0] ? fault : NULL;
}

// MARK: Connections

struct ac_bus {
    sd_bus *bus;
    ac_bus_call_handler on_call;
    ac_bus_name_handler on_name;
    void *context;
};

static sd_bus_message *of(ac_bus_message *message) { return (sd_bus_message *)message; }

/// Returns that the call is answered; the bus may have been closed and freed.
static int handle_call(sd_bus_message *call, void *userdata, sd_bus_error *error) {
    (void)error;
    ac_bus *bus = userdata;
    bus->on_call(bus->context, (ac_bus_message *)call);
    return 1;
}

static int handle_name(sd_bus_message *answer, void *userdata, sd_bus_error *error) {
    (void)error;
    ac_bus *bus = userdata;
    // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER and _ALREADY_OWNER.
    uint32_t verdict = 0;
    bool is_ours = api.sd_bus_message_is_method_error(answer, NULL) <= 0 &&
                   api.sd_bus_message_read_basic(answer, SD_BUS_TYPE_UINT32, &verdict) > 0 &&
                   (verdict == 1 || verdict == 4);
    bus->on_name(bus->context, is_ours);
    return 1;
}

int ac_bus_open(ac_bus **result, const char *address, const char *object, ac_bus_call_handler on_call,
                ac_bus_name_handler on_name, void *context) {
    ac_bus *bus = malloc(sizeof *bus);
    if (!bus) return -ENOMEM;
    *bus = (ac_bus){.on_call = on_call, .on_name = on_name, .context = context};
    int status = api.sd_bus_new(&bus->bus);
    if (status >= 0) status = api.sd_bus_set_address(bus->bus, address);
    if (status >= 0) status = api.sd_bus_set_bus_client(bus->bus, 1);
    if (status >= 0) status = api.sd_bus_add_object(bus->bus, NULL, object, handle_call, bus);
    if (status >= 0) status = api.sd_bus_start(bus->bus);
    if (status < 0) {
        ac_bus_close(bus);
        return status;
    }
    *result = bus;
    return 0;
}

void ac_bus_close(ac_bus *bus) {
    if (bus->bus) {
        api.sd_bus_close(bus->bus);
        api.sd_bus_unref(bus->bus);
    }
    free(bus);
}

int ac_bus_request_name(ac_bus *bus, const char *name) {
    return api.sd_bus_request_name_async(bus->bus, NULL, name, 0, handle_name, bus);
}

int ac_bus_process(ac_bus *bus) { return api.sd_bus_process(bus->bus, NULL); }

int ac_bus_poll(ac_bus *bus, int *descriptor, int *events, uint64_t *deadline) {
    *descriptor = api.sd_bus_get_fd(bus->bus);
    if (*descriptor < 0) return *descriptor;
    *events = api.sd_bus_get_events(bus->bus);
    if (*events < 0) return *events;
    return api.sd_bus_get_timeout(bus->bus, deadline);
}

uint64_t ac_bus_unsent(ac_bus *bus) {
    uint64_t count = 0;
    return api.sd_bus_get_n_queued_write(bus->bus, &count) < 0 ? 0 : count;
}

// MARK: Messages

const char *ac_bus_call_interface(ac_bus_message *call) { return api.sd_bus_message_get_interface(of(call)); }

const char *ac_bus_call_member(ac_bus_message *call) { return api.sd_bus_message_get_member(of(call)); }

const char *ac_bus_signature(ac_bus_message *message) { return api.sd_bus_message_get_signature(of(message), 1); }

int ac_bus_read(ac_bus_message *message, char type, void *value) {
    return api.sd_bus_message_read_basic(of(message), type, value);
}

int ac_bus_peek(ac_bus_message *message, char *type, const char **contents) {
    return api.sd_bus_message_peek_type(of(message), type, contents);
}

int ac_bus_enter(ac_bus_message *message, char type, const char *contents) {
    return api.sd_bus_message_enter_container(of(message), type, contents);
}

int ac_bus_leave(ac_bus_message *message) { return api.sd_bus_message_exit_container(of(message)); }

int ac_bus_new_reply(ac_bus_message *call, ac_bus_message **result) {
    return api.sd_bus_message_new_method_return(of(call), (sd_bus_message **)result);
}

int ac_bus_new_signal(ac_bus *bus, const char *object, const char *interface, const char *member,
                      ac_bus_message **result) {
    return api.sd_bus_message_new_signal(bus->bus, (sd_bus_message **)result, object, interface, member);
}

int ac_bus_append(ac_bus_message *message, char type, const void *value) {
    return api.sd_bus_message_append_basic(of(message), type, value);
}

int ac_bus_open_container(ac_bus_message *message, char type, const char *contents) {
    return api.sd_bus_message_open_container(of(message), type, contents);
}

int ac_bus_close_container(ac_bus_message *message) { return api.sd_bus_message_close_container(of(message)); }

int ac_bus_send(ac_bus_message *message) { return api.sd_bus_send(NULL, of(message), NULL); }

void ac_bus_free(ac_bus_message *message) { api.sd_bus_message_unref(of(message)); }

int ac_bus_refuse(ac_bus_message *call, const char *name, const char *text) {
    return api.sd_bus_reply_method_errorf(of(call), name, "%s", text);
}
