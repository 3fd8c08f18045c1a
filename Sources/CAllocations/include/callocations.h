// SPDX-License-Identifier: MIT
//
// Counts what a thread allocates, for tests: whatever links this has its malloc(3) replaced by one that counts and then
// does as the C library does.

#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// How many times the calling thread has allocated memory so far (malloc, calloc, realloc, aligned_alloc,
/// posix_memalign, memalign).
long ac_allocation_count(void);

#endif
