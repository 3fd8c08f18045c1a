// SPDX-License-Identifier: MIT

#include "CLibXXHash.h"

#define XXH_INLINE_ALL
#define XXH_NO_XXH3
#include <xxhash.h>

_Static_assert(sizeof(ac_xxh64) == sizeof(XXH64_state_t), "ac_xxh64 must have the size of XXH64_state_t");
_Static_assert(_Alignof(ac_xxh64) >= _Alignof(XXH64_state_t), "ac_xxh64 must be aligned as XXH64_state_t");

void ac_xxh64_begin(ac_xxh64 *checksum) { XXH64_reset((XXH64_state_t *)checksum, 0); }

void ac_xxh64_take(ac_xxh64 *checksum, const void *bytes, long count) {
    if (count > 0) XXH64_update((XXH64_state_t *)checksum, bytes, (size_t)count);
}

unsigned long long ac_xxh64_value(const ac_xxh64 *checksum) {
    return XXH64_digest((const XXH64_state_t *)checksum);
}
