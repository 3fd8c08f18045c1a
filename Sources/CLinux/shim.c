// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CLinux.h"

#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
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

int clinux_spawn_close_from(void *actions, int lowest) {
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}

int clinux_spawn_change_folder(void *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int clinux_accept(int listener, void *address, unsigned int *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
