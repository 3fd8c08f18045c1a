// SPDX-License-Identifier: MIT
//
// libpulse behind prefixed functions, typed by its own headers. The library is opened (dlopen(3)) when it is first needed:
// a program that never asks for it neither loads nor needs it. No system header is included here; see CLinux.h.
//
// A loop and all that hangs on it belong to one thread at a time. Nothing blocks but ac_pulse_loop_turn. No hook is
// called once its object has been freed; an object may be freed in its own hook.

#ifndef CLIBPULSE_H
#define CLIBPULSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// MARK: Library

/// Opens the library at the first call. NULL where it can be used, otherwise why not (dlerror). Any thread. Nothing else
/// here may be called before it has said NULL.
const char *_Nullable ac_pulse_problem(void);

/// What an error number means (pa_strerror).
const char *ac_pulse_describe(int error);

/// The errors that make a difference.
enum {
    AC_PULSE_ACCESS = 1,
    AC_PULSE_NO_ENTITY = 5,
    AC_PULSE_AUTH_KEY = 9,
    AC_PULSE_KILLED = 12,
};

// MARK: Loop

/// A pa_mainloop.
typedef struct ac_pulse_loop ac_pulse_loop;

/// A loop that also watches an event counter (eventfd(2)), which it empties; NULL without memory or descriptors.
ac_pulse_loop *_Nullable ac_pulse_loop_create(int counter);
/// Frees a loop that nothing hangs on any more.
void ac_pulse_loop_free(ac_pulse_loop *loop);
/// Waits for something to do, for so many microseconds (for ever where negative), and does it. Negative on failure.
int ac_pulse_loop_turn(ac_pulse_loop *loop, int64_t microseconds);
/// Also ends turns while this descriptor is readable, in place of the one before; none where it is negative.
void ac_pulse_loop_watch(ac_pulse_loop *loop, int descriptor);
/// Whether the counter has been written to, or the descriptor was readable, since this was last asked.
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
    /// Something about a sink input has changed, or a question about one was answered with a failure.
    void (*sink_input)(void *context, uint32_t index);
    /// The answer to ac_pulse_context_ask_volume.
    void (*volume)(void *context, uint32_t index, double volume, bool is_muted);
    /// One answer to ac_pulse_context_list.
    void (*device)(void *context, const ac_pulse_device *device);
    /// No more devices come; an error, or 0.
    void (*devices_end)(void *context, int error);
} ac_pulse_context_hooks;

/// Connects to a server without ever starting one; the hooks are copied. NULL where that fails at once, with `error`.
ac_pulse_context *_Nullable ac_pulse_context_create(
    ac_pulse_loop *loop, const char *name, const char *icon, const char *_Nullable server,
    const ac_pulse_context_hooks *hooks, int *error);
void ac_pulse_context_free(ac_pulse_context *context);
/// The last error (pa_context_errno).
int ac_pulse_context_error(const ac_pulse_context *context);
/// Tells the `sink_input` hook of changes from now on.
void ac_pulse_context_subscribe(ac_pulse_context *context);
void ac_pulse_context_ask_volume(ac_pulse_context *context, uint32_t index);
/// In PulseAudio's cubic measure, 1 for full; for all channels alike.
void ac_pulse_context_set_volume(ac_pulse_context *context, uint32_t index, int channels, double volume);
void ac_pulse_context_set_muted(ac_pulse_context *context, uint32_t index, bool is_muted);
/// Tells the `device` hook of every sink.
void ac_pulse_context_list(ac_pulse_context *context);

// MARK: Stream

/// A pa_stream that plays.
typedef struct ac_pulse_stream ac_pulse_stream;

/// What the server answers to.
enum ac_pulse_request { AC_PULSE_CORK, AC_PULSE_DRAIN, AC_PULSE_RATE, AC_PULSE_TITLE, AC_PULSE_TIMING };

typedef struct ac_pulse_stream_hooks {
    void *context;
    void (*state)(void *context, enum ac_pulse_state state);
    /// The server wants more.
    void (*wanted)(void *context);
    void (*underflow)(void *context);
    void (*started)(void *context);
    /// It is on another device, or its device was suspended or resumed.
    void (*moved)(void *context, bool is_other_device);
    /// The server asks for something by name, such as "request-cork".
    void (*asked)(void *context, const char *name);
    /// New timing information has come, asked for or not.
    void (*timing)(void *context);
    /// A request was answered.
    void (*answered)(void *context, enum ac_pulse_request request, bool succeeded);
} ac_pulse_stream_hooks;

/// What a stream is to be. Times are in microseconds.
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
    /// Negative: what the server remembers.
    double volume;
    /// Negative: what the server remembers; else whether it is muted.
    int muted;
} ac_pulse_stream_plan;

typedef struct ac_pulse_timing {
    /// Bytes that the server has taken out of the stream's buffer.
    int64_t read_index;
    /// How much the device held that had not been heard, when the server was asked.
    uint64_t sink_microseconds;
    /// How many bytes of silence have followed them into the device, since nothing was left.
    int64_t silent_bytes;
    /// How long ago that was, as far as the library knows.
    uint64_t transport_microseconds;
    bool is_playing;
} ac_pulse_timing;

/// Makes a stream of 32-bit floats; the hooks are copied. NULL where that fails at once (ac_pulse_context_error).
ac_pulse_stream *_Nullable ac_pulse_stream_create(
    ac_pulse_context *context, const ac_pulse_stream_plan *plan, const ac_pulse_stream_hooks *hooks);
/// Ends the stream at once.
void ac_pulse_stream_free(ac_pulse_stream *stream);
/// How many bytes the server wants.
size_t ac_pulse_stream_writable(const ac_pulse_stream *stream);
/// How many bytes the server's buffer takes before it drops any.
size_t ac_pulse_stream_capacity(const ac_pulse_stream *stream);
/// Writes bytes at this distance from the end of what was written. 0, or negative.
int ac_pulse_stream_write(ac_pulse_stream *stream, const void *bytes, size_t count, int64_t offset);
/// False where nothing is known yet.
bool ac_pulse_stream_timing(const ac_pulse_stream *stream, ac_pulse_timing *timing);
/// The count of bytes at which the buffer last ran empty, or negative.
int64_t ac_pulse_stream_underflow_index(const ac_pulse_stream *stream);
uint32_t ac_pulse_stream_index(const ac_pulse_stream *stream);
const char *_Nullable ac_pulse_stream_device(const ac_pulse_stream *stream);
bool ac_pulse_stream_is_suspended(const ac_pulse_stream *stream);

// Each asks the server for something and returns whether it could be asked; `answered` comes later.
bool ac_pulse_stream_cork(ac_pulse_stream *stream, bool is_corked);
bool ac_pulse_stream_drain(ac_pulse_stream *stream);
bool ac_pulse_stream_set_rate(ac_pulse_stream *stream, int hertz);
bool ac_pulse_stream_set_title(ac_pulse_stream *stream, const char *title);
bool ac_pulse_stream_ask_timing(ac_pulse_stream *stream);

#pragma clang assume_nonnull end

#endif
