// SPDX-License-Identifier: MIT

#include "CLibPulse.h"
#include "CLibrary.h"

#include <pulse/pulseaudio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(AC_PULSE_ACCESS == PA_ERR_ACCESS, "PA_ERR_ACCESS");
_Static_assert(AC_PULSE_NO_ENTITY == PA_ERR_NOENTITY, "PA_ERR_NOENTITY");
_Static_assert(AC_PULSE_AUTH_KEY == PA_ERR_AUTHKEY, "PA_ERR_AUTHKEY");
_Static_assert(AC_PULSE_KILLED == PA_ERR_KILLED, "PA_ERR_KILLED");

// MARK: Library

#define FUNCTIONS(use) \
    use(pa_channel_map_init_extend) \
    use(pa_context_connect) \
    use(pa_context_disconnect) \
    use(pa_context_errno) \
    use(pa_context_get_server_info) \
    use(pa_context_get_sink_info_list) \
    use(pa_context_get_sink_input_info) \
    use(pa_context_get_state) \
    use(pa_context_new_with_proplist) \
    use(pa_context_set_sink_input_mute) \
    use(pa_context_set_sink_input_volume) \
    use(pa_context_set_state_callback) \
    use(pa_context_set_subscribe_callback) \
    use(pa_context_subscribe) \
    use(pa_context_unref) \
    use(pa_cvolume_max) \
    use(pa_cvolume_set) \
    use(pa_mainloop_free) \
    use(pa_mainloop_get_api) \
    use(pa_mainloop_dispatch) \
    use(pa_mainloop_new) \
    use(pa_mainloop_poll) \
    use(pa_mainloop_prepare) \
    use(pa_operation_cancel) \
    use(pa_operation_get_state) \
    use(pa_operation_unref) \
    use(pa_proplist_free) \
    use(pa_proplist_new) \
    use(pa_proplist_sets) \
    use(pa_stream_connect_playback) \
    use(pa_stream_cork) \
    use(pa_stream_disconnect) \
    use(pa_stream_drain) \
    use(pa_stream_get_buffer_attr) \
    use(pa_stream_get_device_name) \
    use(pa_stream_get_index) \
    use(pa_stream_get_state) \
    use(pa_stream_get_timing_info) \
    use(pa_stream_get_underflow_index) \
    use(pa_stream_is_suspended) \
    use(pa_stream_new_with_proplist) \
    use(pa_stream_set_event_callback) \
    use(pa_stream_set_latency_update_callback) \
    use(pa_stream_set_moved_callback) \
    use(pa_stream_set_name) \
    use(pa_stream_set_started_callback) \
    use(pa_stream_set_state_callback) \
    use(pa_stream_set_suspended_callback) \
    use(pa_stream_set_underflow_callback) \
    use(pa_stream_set_write_callback) \
    use(pa_stream_unref) \
    use(pa_stream_update_sample_rate) \
    use(pa_stream_update_timing_info) \
    use(pa_stream_writable_size) \
    use(pa_stream_write) \
    use(pa_strerror)

AC_LIBRARY("libpulse.so.0", FUNCTIONS)

const char *ac_pulse_problem(void) { return ac_library_problem(&api_library); }

const char *ac_pulse_describe(int error) {
    const char *text = api.pa_strerror(error);
    return text != NULL ? text : "unknown error";
}

// MARK: Loop

struct ac_pulse_loop {
    pa_mainloop *loop;
    pa_mainloop_api *api;
    pa_io_event *_Nullable counter;
    pa_io_event *_Nullable watch;
    int watched;
    bool was_woken;
};

static void counter_ready(pa_mainloop_api *api, pa_io_event *event, int descriptor, pa_io_event_flags_t flags, void *us) {
    (void)api, (void)event, (void)flags;
    uint64_t count;
    if (read(descriptor, &count, sizeof count) > 0) ((ac_pulse_loop *)us)->was_woken = true;
}

ac_pulse_loop *ac_pulse_loop_create(int counter) {
    ac_pulse_loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL) return NULL;
    loop->loop = api.pa_mainloop_new();
    if (loop->loop == NULL) {
        free(loop);
        return NULL;
    }
    loop->api = api.pa_mainloop_get_api(loop->loop);
    loop->counter = loop->api->io_new(loop->api, counter, PA_IO_EVENT_INPUT, counter_ready, loop);
    return loop;
}

static void watched_ready(pa_mainloop_api *api, pa_io_event *event, int descriptor, pa_io_event_flags_t flags, void *us) {
    (void)api, (void)event, (void)descriptor, (void)flags;
    ((ac_pulse_loop *)us)->was_woken = true;
}

void ac_pulse_loop_watch(ac_pulse_loop *loop, int descriptor) {
    if (loop->watch != NULL ? loop->watched == descriptor : descriptor < 0) return;
    if (loop->watch != NULL) loop->api->io_free(loop->watch);
    loop->watched = descriptor;
    loop->watch = descriptor < 0 ? NULL
                                 : loop->api->io_new(loop->api, descriptor, PA_IO_EVENT_INPUT, watched_ready, loop);
}

void ac_pulse_loop_free(ac_pulse_loop *loop) {
    ac_pulse_loop_watch(loop, -1);
    if (loop->counter != NULL) loop->api->io_free(loop->counter);
    api.pa_mainloop_free(loop->loop);
    free(loop);
}

int ac_pulse_loop_turn(ac_pulse_loop *loop, int64_t microseconds) {
    int timeout = microseconds < 0 ? -1 : microseconds > 1000000000 ? 1000000000 : (int)microseconds;
    if (api.pa_mainloop_prepare(loop->loop, timeout) < 0) return -1;
    if (api.pa_mainloop_poll(loop->loop) < 0) return -1;
    return api.pa_mainloop_dispatch(loop->loop);
}

bool ac_pulse_loop_was_woken(ac_pulse_loop *loop) {
    bool was_woken = loop->was_woken;
    loop->was_woken = false;
    return was_woken;
}

// MARK: Context

struct ac_pulse_context {
    pa_context *context;
    ac_pulse_context_hooks hooks;
    char default_sink[256];
};

/// Releases the operation: the reply will come through its callback, or is not needed.
static bool forget(pa_operation *_Nullable operation) {
    if (operation == NULL) return false;
    api.pa_operation_unref(operation);
    return true;
}

static void context_state(pa_context *context, void *us) {
    ac_pulse_context *self = us;
    switch (api.pa_context_get_state(context)) {
    case PA_CONTEXT_READY: return self->hooks.state(self->hooks.context, AC_PULSE_READY);
    case PA_CONTEXT_FAILED:
    case PA_CONTEXT_TERMINATED: return self->hooks.state(self->hooks.context, AC_PULSE_FAILED);
    default: return;
    }
}

static void context_changed(pa_context *context, pa_subscription_event_type_t type, uint32_t index, void *us) {
    (void)context;
    ac_pulse_context *self = us;
    bool is_change = (type & PA_SUBSCRIPTION_EVENT_TYPE_MASK) == PA_SUBSCRIPTION_EVENT_CHANGE;
    bool is_sink_input = (type & PA_SUBSCRIPTION_EVENT_FACILITY_MASK) == PA_SUBSCRIPTION_EVENT_SINK_INPUT;
    if (is_change && is_sink_input) self->hooks.sink_input(self->hooks.context, index);
}

ac_pulse_context *ac_pulse_context_create(
    ac_pulse_loop *loop, const char *name, const char *icon, const char *server, const ac_pulse_context_hooks *hooks,
    int *error) {
    *error = PA_ERR_INTERNAL;
    ac_pulse_context *self = calloc(1, sizeof *self);
    pa_proplist *properties = api.pa_proplist_new();
    if (self == NULL || properties == NULL) {
        if (properties != NULL) api.pa_proplist_free(properties);
        free(self);
        return NULL;
    }
    self->hooks = *hooks;
    api.pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, name);
    api.pa_proplist_sets(properties, PA_PROP_APPLICATION_ICON_NAME, icon);
    self->context = api.pa_context_new_with_proplist(loop->api, name, properties);
    api.pa_proplist_free(properties);
    if (self->context == NULL) {
        free(self);
        return NULL;
    }
    // The callbacks are set after the first attempt: an immediate failure is the return value, not a hook.
    if (api.pa_context_connect(self->context, server, PA_CONTEXT_NOAUTOSPAWN, NULL) < 0) {
        *error = api.pa_context_errno(self->context);
        api.pa_context_unref(self->context);
        free(self);
        return NULL;
    }
    api.pa_context_set_state_callback(self->context, context_state, self);
    api.pa_context_set_subscribe_callback(self->context, context_changed, self);
    return self;
}

void ac_pulse_context_free(ac_pulse_context *self) {
    api.pa_context_set_state_callback(self->context, NULL, NULL);
    api.pa_context_set_subscribe_callback(self->context, NULL, NULL);
    api.pa_context_disconnect(self->context);
    api.pa_context_unref(self->context);
    free(self);
}

int ac_pulse_context_error(const ac_pulse_context *self) { return api.pa_context_errno(self->context); }

void ac_pulse_context_subscribe(ac_pulse_context *self) {
    forget(api.pa_context_subscribe(self->context, PA_SUBSCRIPTION_MASK_SINK_INPUT, NULL, NULL));
}

static void sink_input_answer(pa_context *context, const pa_sink_input_info *info, int end, void *us) {
    (void)context;
    ac_pulse_context *self = us;
    if (end || info == NULL || !info->has_volume) return;
    double volume = (double)api.pa_cvolume_max(&info->volume) / PA_VOLUME_NORM;
    self->hooks.volume(self->hooks.context, info->index, volume, info->mute != 0);
}

void ac_pulse_context_ask_volume(ac_pulse_context *self, uint32_t index) {
    forget(api.pa_context_get_sink_input_info(self->context, index, sink_input_answer, self));
}

/// Maps NaN and values out of range to valid volumes.
static pa_volume_t volume_of(double volume) {
    double scaled = volume * PA_VOLUME_NORM + 0.5;
    if (!(scaled > 0)) return PA_VOLUME_MUTED;
    return scaled >= (double)PA_VOLUME_MAX ? PA_VOLUME_MAX : (pa_volume_t)scaled;
}

void ac_pulse_context_set_volume(ac_pulse_context *self, uint32_t index, int channels, double volume) {
    pa_cvolume all;
    api.pa_cvolume_set(&all, (unsigned)channels, volume_of(volume));
    forget(api.pa_context_set_sink_input_volume(self->context, index, &all, NULL, NULL));
}

void ac_pulse_context_set_muted(ac_pulse_context *self, uint32_t index, bool is_muted) {
    forget(api.pa_context_set_sink_input_mute(self->context, index, is_muted, NULL, NULL));
}

static void sink_answer(pa_context *context, const pa_sink_info *info, int end, void *us) {
    ac_pulse_context *self = us;
    if (end) {
        self->hooks.devices_end(self->hooks.context, end < 0 ? api.pa_context_errno(context) : 0);
        return;
    }
    ac_pulse_device device = {
        .name = info->name,
        .description = info->description != NULL ? info->description : info->name,
        .is_default = strcmp(info->name, self->default_sink) == 0,
    };
    self->hooks.device(self->hooks.context, &device);
}

static void server_answer(pa_context *context, const pa_server_info *info, void *us) {
    ac_pulse_context *self = us;
    if (info != NULL && info->default_sink_name != NULL)
        strncpy(self->default_sink, info->default_sink_name, sizeof self->default_sink - 1);
    if (!forget(api.pa_context_get_sink_info_list(context, sink_answer, self)))
        self->hooks.devices_end(self->hooks.context, api.pa_context_errno(context));
}

void ac_pulse_context_list(ac_pulse_context *self) {
    if (!forget(api.pa_context_get_server_info(self->context, server_answer, self)))
        self->hooks.devices_end(self->hooks.context, api.pa_context_errno(self->context));
}

// MARK: Stream

struct ac_pulse_stream {
    pa_stream *stream;
    ac_pulse_stream_hooks hooks;
    /// Requests that may not have been answered. A disconnected stream still gets the replies to them, so these
    /// requests are cancelled before the stream is freed.
    pa_operation *asked[32];
    size_t asked_count;
};

/// Drops the requests that have been answered, and returns whether there is room for another one.
static bool can_ask(ac_pulse_stream *self) {
    size_t kept = 0;
    for (size_t index = 0; index < self->asked_count; index++) {
        pa_operation *old = self->asked[index];
        if (api.pa_operation_get_state(old) == PA_OPERATION_RUNNING)
            self->asked[kept++] = old;
        else
            api.pa_operation_unref(old);
    }
    self->asked_count = kept;
    return kept < sizeof self->asked / sizeof self->asked[0];
}

static bool keep(ac_pulse_stream *self, pa_operation *_Nullable operation) {
    if (operation == NULL) return false;
    self->asked[self->asked_count++] = operation;
    return true;
}

static void cancel_all(ac_pulse_stream *self) {
    for (size_t index = 0; index < self->asked_count; index++) {
        api.pa_operation_cancel(self->asked[index]);
        api.pa_operation_unref(self->asked[index]);
    }
}

static void stream_state(pa_stream *stream, void *us) {
    ac_pulse_stream *self = us;
    switch (api.pa_stream_get_state(stream)) {
    case PA_STREAM_READY: return self->hooks.state(self->hooks.context, AC_PULSE_READY);
    case PA_STREAM_FAILED:
    case PA_STREAM_TERMINATED: return self->hooks.state(self->hooks.context, AC_PULSE_FAILED);
    default: return;
    }
}

static void stream_wanted(pa_stream *stream, size_t count, void *us) {
    (void)stream, (void)count;
    ac_pulse_stream *self = us;
    self->hooks.wanted(self->hooks.context);
}

static void stream_underflow(pa_stream *stream, void *us) {
    (void)stream;
    ac_pulse_stream *self = us;
    self->hooks.underflow(self->hooks.context);
}

static void stream_started(pa_stream *stream, void *us) {
    (void)stream;
    ac_pulse_stream *self = us;
    self->hooks.started(self->hooks.context);
}

static void stream_moved(pa_stream *stream, void *us) {
    (void)stream;
    ac_pulse_stream *self = us;
    self->hooks.moved(self->hooks.context, true);
}

static void stream_suspended(pa_stream *stream, void *us) {
    (void)stream;
    ac_pulse_stream *self = us;
    self->hooks.moved(self->hooks.context, false);
}

static void stream_asked(pa_stream *stream, const char *name, pa_proplist *properties, void *us) {
    (void)stream, (void)properties;
    ac_pulse_stream *self = us;
    self->hooks.asked(self->hooks.context, name);
}

static void stream_timing(pa_stream *stream, void *us) {
    (void)stream;
    ac_pulse_stream *self = us;
    self->hooks.timing(self->hooks.context);
}

#define ANSWER(name, request) \
    static void name(pa_stream *stream, int succeeded, void *us) { \
        (void)stream; \
        ac_pulse_stream *self = us; \
        self->hooks.answered(self->hooks.context, request, succeeded != 0); \
    }
ANSWER(cork_answer, AC_PULSE_CORK)
ANSWER(drain_answer, AC_PULSE_DRAIN)
ANSWER(rate_answer, AC_PULSE_RATE)
ANSWER(title_answer, AC_PULSE_TITLE)
ANSWER(timing_answer, AC_PULSE_TIMING)

static void set_callbacks(ac_pulse_stream *self, void *_Nullable us) {
    bool on = us != NULL;
    api.pa_stream_set_state_callback(self->stream, on ? stream_state : NULL, us);
    api.pa_stream_set_write_callback(self->stream, on ? stream_wanted : NULL, us);
    api.pa_stream_set_underflow_callback(self->stream, on ? stream_underflow : NULL, us);
    api.pa_stream_set_started_callback(self->stream, on ? stream_started : NULL, us);
    api.pa_stream_set_moved_callback(self->stream, on ? stream_moved : NULL, us);
    api.pa_stream_set_suspended_callback(self->stream, on ? stream_suspended : NULL, us);
    api.pa_stream_set_event_callback(self->stream, on ? stream_asked : NULL, us);
    api.pa_stream_set_latency_update_callback(self->stream, on ? stream_timing : NULL, us);
}

/// Creates a stream that is not connected yet.
static pa_stream *_Nullable new_stream(ac_pulse_context *context, const ac_pulse_stream_plan *plan) {
    pa_sample_spec samples = {
        .format = PA_SAMPLE_FLOAT32NE, .rate = (uint32_t)plan->rate, .channels = (uint8_t)plan->channels};
    pa_channel_map map;
    if (api.pa_channel_map_init_extend(&map, (unsigned)plan->channels, PA_CHANNEL_MAP_WAVEEX) == NULL) return NULL;
    pa_proplist *properties = api.pa_proplist_new();
    if (properties == NULL) return NULL;
    api.pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "music");
    api.pa_proplist_sets(properties, PA_PROP_MEDIA_NAME, plan->title);
    pa_stream *stream =
        api.pa_stream_new_with_proplist(context->context, plan->title, &samples, &map, properties);
    api.pa_proplist_free(properties);
    return stream;
}

ac_pulse_stream *ac_pulse_stream_create(
    ac_pulse_context *context, const ac_pulse_stream_plan *plan, const ac_pulse_stream_hooks *hooks) {
    ac_pulse_stream *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->hooks = *hooks;
    self->stream = new_stream(context, plan);
    if (self->stream == NULL) {
        free(self);
        return NULL;
    }
    pa_buffer_attr buffer = {
        .maxlength = (uint32_t)-1,
        .tlength = plan->target_bytes,
        .prebuf = plan->start_bytes,
        .minreq = plan->request_bytes,
        .fragsize = (uint32_t)-1,
    };
    pa_stream_flags_t flags = PA_STREAM_AUTO_TIMING_UPDATE;
    if (plan->is_corked) flags |= PA_STREAM_START_CORKED;
    if (plan->has_variable_rate) flags |= PA_STREAM_VARIABLE_RATE;
    if (plan->muted >= 0) flags |= plan->muted ? PA_STREAM_START_MUTED : PA_STREAM_START_UNMUTED;
    pa_cvolume volume;
    if (plan->volume >= 0) api.pa_cvolume_set(&volume, (unsigned)plan->channels, volume_of(plan->volume));
    if (api.pa_stream_connect_playback(
            self->stream, plan->device, &buffer, flags, plan->volume >= 0 ? &volume : NULL, NULL) < 0) {
        api.pa_stream_unref(self->stream);
        free(self);
        return NULL;
    }
    set_callbacks(self, self);
    return self;
}

void ac_pulse_stream_free(ac_pulse_stream *self) {
    set_callbacks(self, NULL);
    cancel_all(self);
    api.pa_stream_disconnect(self->stream);
    api.pa_stream_unref(self->stream);
    free(self);
}

size_t ac_pulse_stream_writable(const ac_pulse_stream *self) {
    size_t count = api.pa_stream_writable_size(self->stream);
    return count == (size_t)-1 ? 0 : count;
}

size_t ac_pulse_stream_capacity(const ac_pulse_stream *self) {
    const pa_buffer_attr *buffer = api.pa_stream_get_buffer_attr(self->stream);
    return buffer == NULL ? 0 : buffer->maxlength;
}

int ac_pulse_stream_write(ac_pulse_stream *self, const void *bytes, size_t count, int64_t offset) {
    return api.pa_stream_write(self->stream, bytes, count, NULL, offset, PA_SEEK_RELATIVE);
}

bool ac_pulse_stream_timing(const ac_pulse_stream *self, ac_pulse_timing *timing) {
    const pa_timing_info *info = api.pa_stream_get_timing_info(self->stream);
    if (info == NULL || info->read_index_corrupt) return false;
    *timing = (ac_pulse_timing){
        .read_index = info->read_index,
        .sink_microseconds = info->sink_usec,
        .silent_bytes = !info->playing && info->since_underrun > 0 ? info->since_underrun : 0,
        .transport_microseconds = info->transport_usec,
        .is_playing = info->playing != 0,
    };
    return true;
}

int64_t ac_pulse_stream_underflow_index(const ac_pulse_stream *self) {
    return api.pa_stream_get_underflow_index(self->stream);
}

uint32_t ac_pulse_stream_index(const ac_pulse_stream *self) { return api.pa_stream_get_index(self->stream); }

const char *ac_pulse_stream_device(const ac_pulse_stream *self) { return api.pa_stream_get_device_name(self->stream); }

bool ac_pulse_stream_is_suspended(const ac_pulse_stream *self) { return api.pa_stream_is_suspended(self->stream) > 0; }

bool ac_pulse_stream_cork(ac_pulse_stream *self, bool is_corked) {
    return can_ask(self) && keep(self, api.pa_stream_cork(self->stream, is_corked, cork_answer, self));
}

bool ac_pulse_stream_drain(ac_pulse_stream *self) {
    return can_ask(self) && keep(self, api.pa_stream_drain(self->stream, drain_answer, self));
}

bool ac_pulse_stream_set_rate(ac_pulse_stream *self, int hertz) {
    return can_ask(self) && keep(self, api.pa_stream_update_sample_rate(self->stream, (uint32_t)hertz, rate_answer, self));
}

bool ac_pulse_stream_set_title(ac_pulse_stream *self, const char *title) {
    return can_ask(self) && keep(self, api.pa_stream_set_name(self->stream, title, title_answer, self));
}

bool ac_pulse_stream_ask_timing(ac_pulse_stream *self) {
    return can_ask(self) && keep(self, api.pa_stream_update_timing_info(self->stream, timing_answer, self));
}
