// SPDX-License-Identifier: MIT
//
// libopus behind prefixed functions, typed by its own headers. The library is opened (dlopen(3)) when it is first needed:
// a program that never asks for it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBOPUS_H
#define CLIBOPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A decoder (OpusMSDecoder). Belongs to one thread at a time.
typedef struct ac_opus ac_opus;

/// Opens the library at the first call. NULL where it can be used, otherwise why not (dlerror). Thread-safe.
const char *_Nullable ac_opus_problem(void);
/// The file name of the library.
extern const char *const ac_opus_library;

// All below need a library that can be used.

/// A decoder at 48 kHz; `mapping` has an entry for each channel, `gain` is in 1/256 dB. NULL where it cannot be.
ac_opus *_Nullable ac_opus_create(int channels, int streams, int coupled, const uint8_t *mapping, int gain);
void ac_opus_free(ac_opus *decoder);
/// As new, with the same gain.
void ac_opus_reset(ac_opus *decoder);
/// Decodes a packet into `pcm`, which has room for so many samples of all channels. How many there are; below 0: damaged.
int ac_opus_decode(ac_opus *decoder, const void *packet, size_t length, float *pcm, int room);

#pragma clang assume_nonnull end

#endif
