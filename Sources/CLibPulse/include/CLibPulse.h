// SPDX-License-Identifier: MIT
//
// libpulse behind prefixed functions, typed by its own headers. The library is opened on first use (dlopen(3)): a
// program that never uses it neither loads nor needs it. No system header is included here; see CLinux.h.
//
// A loop and everything attached to it belong to one thread at a time. Only ac_pulse_loop_turn blocks. No hook is
// called after its object has been freed; an object may be freed in its own hook.

#ifndef CLIBPULSE_H
#define CLIBPULSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: Library

/// Opens the library at the first call. Returns NULL if it is usable, otherwise the reason (dlerror). Any thread. Call
/// no other function here before this has returned NULL.
const char *_Nullable ac_pulse_problem(void);

/// The text of an error number (pa_strerror).
const char *ac_pulse_describe(int error);

/// The errors that are handled specially.
enum {
    AC_PULSE_ACCESS = 1,
    AC_PULSE_NO_ENTITY = 5,
    AC_PULSE_AUTH_KEY = 9,
    AC_PULSE_KILLED = 12,
};

// MARK: Loop

/// A pa_mainloop.
typedef struct ac_pulse_loop ac_pulse_loop;

/// Creates a loop that also watches and drains an event counter (eventfd(2)); NULL without memory or descriptors.
ac_pulse_loop *_Nullable ac_pulse_loop_create(int counter);
/// Frees a loop to which nothing is attached.
void ac_pulse_loop_free(ac_pulse_loop *loop);
/// Waits for events, for at most `microseconds` (forever if negative), and handles them. Negative on failure.
int ac_pulse_loop_turn(ac_pulse_loop *loop, int64_t microseconds);
/// Makes a turn also end when this descriptor is readable. It replaces the previous descriptor; a negative number
/// watches none.
void ac_pulse_loop_watch(ac_pulse_loop *loop, int descriptor);
/// Whether the counter was written or the descriptor was readable since the last call.
bool ac_pulse_loop_was_woken(ac_pulse_loop *loop);

// MARK: Context

/// A pa_context.
typedef struct ac_pulse_context ac_pulse_context;

enum ac_pulse_state { AC_PULSE_CONNECTING, AC_PULSE_READY, AC_PULSE_FAILED };

/// A sink of the server.
typedef struct ac_pulse_device {
    const char *name;
    const char *description;
    bool is_default;
} ac_pulse_device;

typedef struct ac_pulse_context_hooks {
    void *context;
    /// The state has changed.
    void (*state)(void *context, enum ac_pulse_state state);
    /// A sink input has changed, or a query about one has failed.
    void (*sink_input)(void *context, uint32_t index);
    /// The reply to ac_pulse_context_ask_volume.
    void (*volume)(void *context, uint32_t index, double volume, bool is_muted);
    /// A device in the reply to ac_pulse_context_list.
    void (*device)(void *context, const ac_pulse_device *device);
    /// The end of the devices: an error, or 0.
    void (*devices_end)(void *context, int error);
} ac_pulse_context_hooks;

/// Connects to a server, never starting one, and copies the hooks. NULL with `error` if that fails at once.
ac_pulse_context *_Nullable ac_pulse_context_create(
    ac_pulse_loop *loop, const char *name, const char *icon, const char *_Nullable server,
    const ac_pulse_context_hooks *hooks, int *error);
void ac_pulse_context_free(ac_pulse_context *context);
/// The last error (pa_context_errno).
int ac_pulse_context_error(const ac_pulse_context *context);
/// Starts calling the `sink_input` hook for changes.
void ac_pulse_context_subscribe(ac_pulse_context *context);
void ac_pulse_context_ask_volume(ac_pulse_context *context, uint32_t index);
/// Sets all channels of a sink input to a volume on PulseAudio's cubic scale; 1 is full volume.
void ac_pulse_context_set_volume(ac_pulse_context *context, uint32_t index, int channels, double volume);
void ac_pulse_context_set_muted(ac_pulse_context *context, uint32_t index, bool is_muted);
/// Calls the `device` hook for every sink.
void ac_pulse_context_list(ac_pulse_context *context);

// MARK: Stream

/// A pa_stream for playback.
typedef struct ac_pulse_stream ac_pulse_stream;

/// The requests that the server replies to.
enum ac_pulse_request { AC_PULSE_CORK, AC_PULSE_DRAIN, AC_PULSE_RATE, AC_PULSE_TITLE, AC_PULSE_TIMING };

typedef struct ac_pulse_stream_hooks {
    void *context;
    void (*state)(void *context, enum ac_pulse_state state);
    /// The server wants more audio.
    void (*wanted)(void *context);
    void (*underflow)(void *context);
    void (*started)(void *context);
    /// The stream has moved to another device, or its device was suspended or resumed.
    void (*moved)(void *context, bool is_other_device);
    /// The server requests something by name, such as "request-cork".
    void (*asked)(void *context, const char *name);
    /// New timing information has arrived, requested or not.
    void (*timing)(void *context);
    /// The reply to a request.
    void (*answered)(void *context, enum ac_pulse_request request, bool succeeded);
} ac_pulse_stream_hooks;

/// The parameters of a stream.
typedef struct ac_pulse_stream_plan {
    int rate;
    int channels;
    const char *title;
    const char *_Nullable device;
    uint32_t target_bytes;
    uint32_t start_bytes;
    uint32_t request_bytes;
    bool is_corked;
    bool has_variable_rate;
    /// Negative for the value stored by the server.
    double volume;
    /// Negative for the state stored by the server; otherwise whether the stream is muted.
    int muted;
} ac_pulse_stream_plan;

typedef struct ac_pulse_timing {
    /// Bytes that the server has read from the stream's buffer.
    int64_t read_index;
    /// The unplayed audio in the device when the server was queried.
    uint64_t sink_microseconds;
    /// Bytes of silence that the device has received since the buffer ran empty.
    int64_t silent_bytes;
    /// The time since the query, as far as the library knows.
    uint64_t transport_microseconds;
    bool is_playing;
} ac_pulse_timing;

/// Creates a stream of 32-bit floats and copies the hooks. NULL if that fails at once (ac_pulse_context_error).
ac_pulse_stream *_Nullable ac_pulse_stream_create(
    ac_pulse_context *context, const ac_pulse_stream_plan *plan, const ac_pulse_stream_hooks *hooks);
/// Ends the stream at once.
void ac_pulse_stream_free(ac_pulse_stream *stream);
/// The number of bytes that the server requests.
size_t ac_pulse_stream_writable(const ac_pulse_stream *stream);
/// The number of bytes that fit into the server's buffer before it drops any.
size_t ac_pulse_stream_capacity(const ac_pulse_stream *stream);
/// Writes bytes at this offset from the end of the previous write. Returns 0, or a negative number on failure.
int ac_pulse_stream_write(ac_pulse_stream *stream, const void *bytes, size_t count, int64_t offset);
/// Stores the latest timing information. Returns false if there is none yet.
bool ac_pulse_stream_timing(const ac_pulse_stream *stream, ac_pulse_timing *timing);
/// The byte count at which the buffer last ran empty, or negative.
int64_t ac_pulse_stream_underflow_index(const ac_pulse_stream *stream);
uint32_t ac_pulse_stream_index(const ac_pulse_stream *stream);
const char *_Nullable ac_pulse_stream_device(const ac_pulse_stream *stream);
bool ac_pulse_stream_is_suspended(const ac_pulse_stream *stream);

// Each of these functions sends a request and returns whether that was possible; `answered` is called later.
bool ac_pulse_stream_cork(ac_pulse_stream *stream, bool is_corked);
bool ac_pulse_stream_drain(ac_pulse_stream *stream);
bool ac_pulse_stream_set_rate(ac_pulse_stream *stream, int hertz);
bool ac_pulse_stream_set_title(ac_pulse_stream *stream, const char *title);
bool ac_pulse_stream_ask_timing(ac_pulse_stream *stream);

#pragma clang assume_nonnull end

#endif
