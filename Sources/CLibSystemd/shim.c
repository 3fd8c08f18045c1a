// SPDX-License-Identifier: MIT

#define _GNU_SOURCE

#include "CLibSystemd.h"
#include "CLibrary.h"

#include <errno.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>

// MARK: The library

#define FUNCTIONS(use) \
    use(sd_bus_new) \
    use(sd_bus_set_address) \
    use(sd_bus_set_bus_client) \
    use(sd_bus_start) \
    use(sd_bus_close) \
    use(sd_bus_unref) \
    use(sd_bus_add_object) \
    use(sd_bus_request_name_async) \
    use(sd_bus_process) \
    use(sd_bus_get_fd) \
    use(sd_bus_get_events) \
    use(sd_bus_get_timeout) \
    use(sd_bus_get_n_queued_write) \
    use(sd_bus_send) \
    use(sd_bus_message_get_interface) \
    use(sd_bus_message_get_member) \
    use(sd_bus_message_get_signature) \
    use(sd_bus_message_is_method_error) \
    use(sd_bus_message_read_basic) \
    use(sd_bus_message_peek_type) \
    use(sd_bus_message_enter_container) \
    use(sd_bus_message_exit_container) \
    use(sd_bus_message_new_method_return) \
    use(sd_bus_message_new_signal) \
    use(sd_bus_message_append_basic) \
    use(sd_bus_message_open_container) \
    use(sd_bus_message_close_container) \
    use(sd_bus_message_unref) \
    use(sd_bus_reply_method_errorf)

AC_LIBRARY("libsystemd.so.0", FUNCTIONS)

const char *ac_systemd_problem(void) { return ac_library_problem(&api_library); }

// MARK: Connections

struct ac_bus {
    sd_bus *bus;
    ac_bus_call_handler on_call;
    ac_bus_name_handler on_name;
    void *context;
};

static sd_bus_message *of(ac_bus_message *message) { return (sd_bus_message *)message; }

/// Returns 1 for a handled call, without touching the bus, which may have been closed and freed.
static int handle_call(sd_bus_message *call, void *userdata, sd_bus_error *error) {
    (void)error;
    ac_bus *bus = userdata;
    bus->on_call(bus->context, (ac_bus_message *)call);
    return 1;
}

static int handle_name(sd_bus_message *answer, void *userdata, sd_bus_error *error) {
    (void)error;
    ac_bus *bus = userdata;
    // The name is ours if the reply is DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER or _ALREADY_OWNER.
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
