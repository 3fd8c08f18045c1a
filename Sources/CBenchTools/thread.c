// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CBenchTools.h"

#include <errno.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/// Waits until the thread stops. Returns its status, or -1 with errno.
static int stopped(int thread) {
    int status = 0;
    while (waitpid(thread, &status, __WALL) < 0) {
        if (errno != EINTR) return -1;
    }
    if (WIFSTOPPED(status)) return status;
    errno = ESRCH;
    return -1;
}

int ac_thread_stop(int thread) {
    if (ptrace(PTRACE_SEIZE, thread, 0, PTRACE_O_TRACESYSGOOD) != 0) return -1;
    if (ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0) return -1;
    return stopped(thread) < 0 ? -1 : 0;
}

int ac_thread_stop_in_write(int thread) {
    long signal = 0;
    while (1) {
        if (ptrace(PTRACE_SYSCALL, thread, 0, signal) != 0) return -1;
        int status = stopped(thread);
        if (status < 0) return -1;
        signal = 0;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            struct __ptrace_syscall_info call;
            if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof call, &call) < 0) return -1;
            if (call.op == PTRACE_SYSCALL_INFO_ENTRY && call.entry.nr == SYS_writev) return 0;
        } else if (status >> 16 == 0) {
            // The thread has stopped because a signal is about to be delivered to it. The signal is delivered when the
            // thread continues.
            signal = WSTOPSIG(status);
        }
    }
}

int ac_thread_has_ended(int thread) {
    int status = 0;
    pid_t found = waitpid(thread, &status, __WALL | WNOHANG);
    return found < 0 || (found == thread && !WIFSTOPPED(status));
}
