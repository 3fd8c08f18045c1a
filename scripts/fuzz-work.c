// SPDX-License-Identifier: MIT
//
// The functions that libFuzzer calls. They count the steps that an input takes, which do not depend on the machine or
// its load. An input that takes too many steps for its length fails.
//
// A step is a branch taken in our modules (the compiler inserts a call at each), sixteen bytes moved, or an element
// moved. Work inside the standard library and the C library is not counted.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Defined in Sources/FuzzTargets/FuzzEntry.swift.
void aircheck_fuzz(const uint8_t *bytes, size_t count);
uint64_t aircheck_fuzz_most_work(size_t count);

static uint64_t work;
static double most;
static int is_telling;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    is_telling = getenv("FUZZ_TELLS_WORK") != NULL;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    work = 0;
    aircheck_fuzz(bytes, count);
    uint64_t limit = aircheck_fuzz_most_work(count);
    double share = (double)work / (double)limit;
    if (is_telling && share > most) {
        most = share;
        fprintf(stderr, "%zu bytes: %llu steps, %.0f %% of the limit\n", count, (unsigned long long)work, 100 * share);
    }
    if (work > limit) {
        fprintf(stderr, "%llu steps for %zu bytes: %llu are the limit\n", (unsigned long long)work, count,
                (unsigned long long)limit);
        abort();
    }
    return 0;
}

// The linker redirects all calls of our modules to these functions.

void __wrap___sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    for (; start < stop; start++) *start = 1;
}

void __wrap___sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    (void)guard;
    work++;
}

#define MOVING(name)                                                      \
    void *__real_##name(void *to, const void *from, size_t count);        \
    void *__wrap_##name(void *to, const void *from, size_t count) {       \
        work += count / 16;                                               \
        return __real_##name(to, from, count);                            \
    }
MOVING(memcpy)
MOVING(memmove)

#define MOVING_ELEMENTS(name)                                                           \
    void __real_##name(void *to, void *from, size_t count, const void *type);           \
    void __wrap_##name(void *to, void *from, size_t count, const void *type) {          \
        work += count;                                                                  \
        __real_##name(to, from, count, type);                                           \
    }
MOVING_ELEMENTS(swift_arrayInitWithCopy)
MOVING_ELEMENTS(swift_arrayInitWithTakeNoAlias)
MOVING_ELEMENTS(swift_arrayInitWithTakeFrontToBack)
MOVING_ELEMENTS(swift_arrayInitWithTakeBackToFront)
