// SPDX-License-Identifier: MIT
//
// The checksum XXH64 of xxHash, a header-only library, behind prefixed functions. No system header is included here;
// see CLinux.h.

#ifndef CLIBXXHASH_H
#define CLIBXXHASH_H

#pragma clang assume_nonnull begin

/// A checksum in progress (XXH64_state_t). It may be copied.
typedef struct {
    unsigned long long words[11];
} ac_xxh64;

/// Begins a checksum with the seed 0.
void ac_xxh64_begin(ac_xxh64 *checksum);

/// Takes further bytes. `bytes` may be NULL if there are none.
void ac_xxh64_take(ac_xxh64 *checksum, const void *_Nullable bytes, long count);

/// The checksum of all bytes taken.
unsigned long long ac_xxh64_value(const ac_xxh64 *checksum);

#pragma clang assume_nonnull end

#endif
