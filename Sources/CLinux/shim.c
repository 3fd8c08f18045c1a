// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CLinux.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

int clinux_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int clinux_syncfs(int descriptor) {
    return syncfs(descriptor);
}

void clinux_name_thread(const char *name) {
    (void)pthread_setname_np(pthread_self(), name);
}
