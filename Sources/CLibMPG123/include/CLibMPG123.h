// SPDX-License-Identifier: MIT
//
// libmpg123 behind prefixed functions, typed by its own headers. The library is opened on first use (dlopen(3)): a
// program that never uses it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBMPG123_H
#define CLIBMPG123_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// A decoder (mpg123_handle) that is fed its input. Belongs to one thread at a time.
typedef struct ac_mpg123 ac_mpg123;

/// Opens the library at the first call. Returns NULL if it is usable, otherwise the reason (dlerror). Thread-safe.
const char *_Nullable ac_mpg123_problem(void);
/// The file name of the library.
extern const char *const ac_mpg123_library;

// All functions below need a usable library.

/// The negative results of ac_mpg123_decode.
enum {
    /// The frame cannot be decoded: call ac_mpg123_reset.
    AC_MPG123_DAMAGED = -1,
};

/// Creates a decoder with float output. NULL without memory.
ac_mpg123 *_Nullable ac_mpg123_create(void);
void ac_mpg123_free(ac_mpg123 *decoder);
/// Resets the decoder to its initial state.
bool ac_mpg123_reset(ac_mpg123 *decoder);
/// Sets the length of free-format frames, without header and padding; 0 if frames state it (MPG123_FREEFORMAT_SIZE).
bool ac_mpg123_set_free_format(ac_mpg123 *decoder, long size);
/// Decodes a frame into `pcm`, which has room for `room` values. Returns the number of values, or a negative result.
long ac_mpg123_decode(ac_mpg123 *decoder, const void *frame, size_t length, float *pcm, size_t room);
/// The sample rate of the output; 0 before any output.
long ac_mpg123_rate(const ac_mpg123 *decoder);
/// The number of channels of the output; 0 before any output.
int ac_mpg123_channels(const ac_mpg123 *decoder);

#pragma clang assume_nonnull end

#endif
