// SPDX-License-Identifier: MIT
//
// libvorbis behind prefixed functions, typed by its own headers. The library is opened on first use (dlopen(3)): a
// program that never uses it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBVORBIS_H
#define CLIBVORBIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A decoder (vorbis_dsp_state and related state). Belongs to one thread at a time.
typedef struct ac_vorbis ac_vorbis;

/// Opens the library at the first call. Returns NULL if it is usable, otherwise the reason (dlerror). Thread-safe.
const char *_Nullable ac_vorbis_problem(void);
/// The file name of the library.
extern const char *const ac_vorbis_library;

// All functions below need a usable library.

/// Creates a decoder without headers; NULL without memory.
ac_vorbis *_Nullable ac_vorbis_create(void);
void ac_vorbis_free(ac_vorbis *decoder);
/// Takes the next of the three header packets; false if it is invalid.
bool ac_vorbis_take_header(ac_vorbis *decoder, const void *packet, size_t length);
/// Starts decoding once all headers have been taken; false if they are unusable, or without memory.
bool ac_vorbis_start(ac_vorbis *decoder);
/// Resets the decoder, keeping the headers.
void ac_vorbis_reset(ac_vorbis *decoder);
/// The number of channels in the headers.
int ac_vorbis_channels(const ac_vorbis *decoder);
/// The maximum number of samples in a packet.
int ac_vorbis_largest_block(ac_vorbis *decoder);
/// Decodes a packet into `pcm`, which has room for `room` samples per channel; channel `order[n]` of the stream becomes
/// channel n. Returns the number of samples per channel; below 0 if damaged.
int ac_vorbis_decode(
    ac_vorbis *decoder, const void *packet, size_t length, const uint8_t *order, float *pcm, int room);

#pragma clang assume_nonnull end

#endif
