// SPDX-License-Identifier: MIT
//
// libmpg123 behind prefixed functions, typed by its own headers. The library is opened (dlopen(3)) when it is first needed:
// a program that never asks for it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBMPG123_H
#define CLIBMPG123_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// A decoder (mpg123_handle) that is fed. Belongs to one thread at a time.
typedef struct ac_mpg123 ac_mpg123;

/// Opens the library at the first call. NULL where it can be used, otherwise why not (dlerror). Thread-safe.
const char *_Nullable ac_mpg123_problem(void);
/// The file name of the library.
extern const char *const ac_mpg123_library;

// All below need a library that can be used.

/// What has come of a frame.
enum {
    /// Not decodable: ac_mpg123_reset is due.
    AC_MPG123_DAMAGED = -1,
};

/// A decoder that gives out floats. NULL without memory.
ac_mpg123 *_Nullable ac_mpg123_create(void);
void ac_mpg123_free(ac_mpg123 *decoder);
/// As new.
bool ac_mpg123_reset(ac_mpg123 *decoder);
/// A frame of free format is so long, without header and padding; 0 where frames say it (MPG123_FREEFORMAT_SIZE).
bool ac_mpg123_set_free_format(ac_mpg123 *decoder, long size);
/// Decodes a frame into `pcm`, which has room for so many values. How many values have come of it, or a number below 0.
long ac_mpg123_decode(ac_mpg123 *decoder, const void *frame, size_t length, float *pcm, size_t room);
/// The rate of what has come; 0 before.
long ac_mpg123_rate(const ac_mpg123 *decoder);
/// The channels of what has come; 0 before.
int ac_mpg123_channels(const ac_mpg123 *decoder);

#pragma clang assume_nonnull end

#endif
