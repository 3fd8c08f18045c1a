// SPDX-License-Identifier: MIT
//
// libFLAC behind prefixed functions, typed by its own headers. The library is opened on first use (dlopen(3)): a
// program that never uses it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBFLAC_H
#define CLIBFLAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A decoder (FLAC__StreamDecoder). Belongs to one thread at a time.
typedef struct ac_flac ac_flac;

/// Opens the library at the first call. Returns NULL if it is usable, otherwise the reason (dlerror). Thread-safe.
const char *_Nullable ac_flac_problem(void);
/// The file name of the library.
extern const char *const ac_flac_library;

// All functions below need a usable library.

/// The size in bytes of a STREAMINFO block without its header.
enum { AC_FLAC_STREAM_INFO = 34 };

/// A decoder for frames of a stream with this STREAMINFO block (without its header); NULL on failure.
ac_flac *_Nullable ac_flac_create(const uint8_t *stream_info);
void ac_flac_free(ac_flac *decoder);
/// Decodes a frame with this number of channels into `pcm`, which has room for `room` samples per channel. Returns the
/// number of samples per channel. If the frame is damaged, resets the decoder and returns a negative number.
int ac_flac_decode(ac_flac *decoder, const void *frame, size_t length, int channels, float *pcm, int room);

#pragma clang assume_nonnull end

#endif
