// SPDX-License-Identifier: MIT

#include "CLinux.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static void note(ac_library *library, const char *what) {
    const char *why = dlerror();
    (void)snprintf(library->problem, sizeof library->problem, "%s", why ? why : what);
}

static int open_library(ac_library *library) {
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        note(library, library->file);
        return -1;
    }
    for (int index = 0; index < library->function_count; index++) {
        const ac_function *function = &library->functions[index];
        void *address = dlsym(handle, function->name);
        if (address == NULL) {
            note(library, function->name);
            return -1;
        }
        memcpy(function->pointer, &address, sizeof address);
    }
    return 1;
}

const char *ac_library_problem(ac_library *library) {
    int outcome = __atomic_load_n(&library->outcome, __ATOMIC_ACQUIRE);
    if (outcome == 0) {
        (void)pthread_mutex_lock(&opening);
        if (library->outcome == 0) __atomic_store_n(&library->outcome, open_library(library), __ATOMIC_RELEASE);
        outcome = library->outcome;
        (void)pthread_mutex_unlock(&opening);
    }
    return outcome > 0 ? NULL : library->problem;
}
