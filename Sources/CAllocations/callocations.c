// SPDX-License-Identifier: MIT

#include "callocations.h"

#include <errno.h>
#include <stddef.h>

// glibc's second names for its allocator. They remain usable when malloc and the other public names are replaced.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Thread_local long count __attribute__((tls_model("initial-exec")));

long ac_allocation_count(void) { return count; }

// A sanitizer has its own allocator, which must not be bypassed. So nothing is counted in a program built with a
// sanitizer.
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count++;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count++;
    void *made = __libc_memalign(alignment, size);
    if (made == NULL) return ENOMEM;
    *memory = made;
    return 0;
}

#endif
