// SPDX-License-Identifier: MIT
// Counts a thread's allocations, for tests: linking this replaces malloc(3) with a version that counts and then calls
// the C library's own malloc.

#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// The number of allocations made by the calling thread so far (malloc, calloc, realloc, aligned_alloc, posix_memalign,
/// memalign).
long ac_allocation_count(void);

#endif
