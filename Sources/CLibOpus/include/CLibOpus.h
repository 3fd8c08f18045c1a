// SPDX-License-Identifier: MIT
//
// libopus behind prefixed functions, typed by its own headers. The library is opened on first use (dlopen(3)): a
// program that never uses it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBOPUS_H
#define CLIBOPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A decoder (OpusMSDecoder). Belongs to one thread at a time.
typedef struct ac_opus ac_opus;

/// Opens the library at the first call. Returns NULL if it is usable, otherwise the reason (dlerror). Thread-safe.
const char *_Nullable ac_opus_problem(void);
/// The file name of the library.
extern const char *const ac_opus_library;

// All functions below need a usable library.

/// Creates a decoder at 48 kHz. `mapping` has an entry per channel; `gain` is in 1/256 dB. NULL on failure.
ac_opus *_Nullable ac_opus_create(int channels, int streams, int coupled, const uint8_t *mapping, int gain);
void ac_opus_free(ac_opus *decoder);
/// Resets the decoder, keeping the gain.
void ac_opus_reset(ac_opus *decoder);
/// Decodes a packet into `pcm`, which has room for `room` samples per channel. Returns the number of samples per
/// channel; a negative number if the packet is damaged.
int ac_opus_decode(ac_opus *decoder, const void *packet, size_t length, float *pcm, int room);

#pragma clang assume_nonnull end

#endif
