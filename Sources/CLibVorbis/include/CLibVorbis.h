// SPDX-License-Identifier: MIT
//
// libvorbis behind prefixed functions, typed by its own headers. The library is opened (dlopen(3)) when it is first needed:
// a program that never asks for it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBVORBIS_H
#define CLIBVORBIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A decoder (vorbis_dsp_state and what belongs to it). Belongs to one thread at a time.
typedef struct ac_vorbis ac_vorbis;

/// Opens the library at the first call. NULL where it can be used, otherwise why not (dlerror). Thread-safe.
const char *_Nullable ac_vorbis_problem(void);
/// The file name of the library.
extern const char *const ac_vorbis_library;

// All below need a library that can be used.

/// A decoder without headers; NULL without memory.
ac_vorbis *_Nullable ac_vorbis_create(void);
void ac_vorbis_free(ac_vorbis *decoder);
/// Takes the next of the three header packets; false where no decoder can start with it.
bool ac_vorbis_take_header(ac_vorbis *decoder, const void *packet, size_t length);
/// Goes over to audio once all headers have been taken; false without memory.
bool ac_vorbis_start(ac_vorbis *decoder);
/// As new, with the same headers.
void ac_vorbis_reset(ac_vorbis *decoder);
/// How many channels the headers name.
int ac_vorbis_channels(const ac_vorbis *decoder);
/// The most samples that a packet gives.
int ac_vorbis_largest_block(ac_vorbis *decoder);
/// Decodes a packet into `pcm`, which has room for so many samples of all channels. Channel `order[n]` of the stream is
/// put at place n. How many samples there are; below 0: damaged.
int ac_vorbis_decode(
    ac_vorbis *decoder, const void *packet, size_t length, const uint8_t *order, float *pcm, int room);

#pragma clang assume_nonnull end

#endif
