// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

static int terminal = -1;
/// The settings to restore; written only while has_keys is 0.
static struct termios usual;
static int is_usual_known;
/// Whether the terminal is in our mode.
static atomic_int has_keys;

/// Signals that end the process at once, and their former actions.
static const int fatal[] = {SIGSEGV, SIGABRT, SIGILL, SIGBUS, SIGFPE, SIGTRAP, SIGSYS, SIGQUIT};
enum { FATAL_COUNT = sizeof fatal / sizeof *fatal };
static struct sigaction former[FATAL_COUNT];

static int is_in_foreground(void) { return tcgetpgrp(terminal) == getpgrp(); }

void ac_terminal_leave(void) {
    if (!atomic_exchange(&has_keys, 0)) return;
    int error = errno;
    // If this process is in the background, the foreground program has set its own mode, which must not be changed.
    if (is_in_foreground()) {
        // If this process has just moved to the background, SIGTTOU must not stop it.
        sigset_t stop, before;
        sigemptyset(&stop);
        sigaddset(&stop, SIGTTOU);
        pthread_sigmask(SIG_BLOCK, &stop, &before);
        tcsetattr(terminal, TCSANOW, &usual);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    errno = error;
}

/// Async-signal-safe. Raises the signal again, for its former action.
static void leave_and_end(int number) {
    ac_terminal_leave();
    for (int index = 0; index < FATAL_COUNT; index++) {
        if (fatal[index] != number) continue;
        sigaction(number, &former[index], NULL);
    }
    // The signal is blocked until this handler returns. A fault then recurs by itself, but a signal from another
    // process has to be raised again.
    raise(number);
}

int ac_terminal_prepare(int descriptor) {
    if (terminal >= 0) return 0;
    terminal = descriptor;
    if (atexit(ac_terminal_leave) != 0) return -1;
    for (int index = 0; index < FATAL_COUNT; index++) {
        // The handler runs on the thread's alternate stack, if there is one, because the usual stack may have
        // overflowed.
        struct sigaction action = {.sa_handler = leave_and_end, .sa_flags = SA_ONSTACK};
        sigemptyset(&action.sa_mask);
        if (sigaction(fatal[index], NULL, &former[index]) != 0) return -1;
        if (former[index].sa_handler != SIG_IGN && sigaction(fatal[index], &action, NULL) != 0) return -1;
    }
    return 0;
}

int ac_terminal_enter(void) {
    struct termios now;
    if (!is_in_foreground()) return 0;
    if (tcgetattr(terminal, &now) != 0) return -1;
    // A shell that stopped and continued this process may have restored our own mode.
    int is_ours = (now.c_lflag & (ICANON | ECHO)) == 0;
    if (!is_usual_known || !is_ours) {
        atomic_store(&has_keys, 0);
        usual = now;
        is_usual_known = 1;
    }
    // ISIG stays set: Ctrl-C, Ctrl-Z and Ctrl-\ send signals.
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    if (tcsetattr(terminal, TCSANOW, &now) != 0) return -1;
    atomic_store(&has_keys, 1);
    return 1;
}
