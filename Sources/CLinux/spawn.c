// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK_SIZE = 64 << 10, MOST_DESCRIPTORS = 16 };

// Thread sanitizer treats each clone as a fork, and fails if the new process shares the old one's memory. Under it, the
// new process gets a copy, which takes longer.
#if __has_feature(thread_sanitizer)
enum { SHARING = CLONE_VFORK };
#else
enum { SHARING = CLONE_VFORK | CLONE_VM };
#endif

/// The arguments and the result of a start, in memory that both processes share until the program has been loaded: each
/// process reads what the other one writes.
struct start {
    const ac_spawn_plan *plan;
    pid_t parent;
    int step;
    int error;
};

static int cannot(struct start *start, int step) {
    start->step = step;
    start->error = errno;
    return -1;
}

/// Resets all signals, which are blocked meanwhile: our handlers must not run in the new process, and ignored signals
/// would stay ignored.
static void forget_signals(void) {
    // For the kernel, all zero is SIG_DFL. The C library's call excludes two signals that it reserves.
    const unsigned long standard[8] = {0};
    for (int number = 1; number < _NSIG; number++) (void)syscall(SYS_rt_sigaction, number, standard, NULL, _NSIG / 8);
}

static int close_from(int lowest) {
    if (close_range((unsigned)lowest, UINT_MAX, 0) == 0) return 0;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return -1;
    for (int descriptor = lowest; descriptor < (int)files.rlim_cur; descriptor++) (void)close(descriptor);
    return 0;
}

static int set_descriptors(const ac_spawn_plan *plan) {
    int moved[MOST_DESCRIPTORS];
    int count = plan->descriptor_count;
    if (count > MOST_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    // Move the descriptors out of each other's way first, then to their final numbers.
    for (int index = 0; index < count; index++) {
        int source = plan->descriptors[index];
        if (source < 0) source = open("/dev/null", O_RDWR | O_CLOEXEC);
        moved[index] = fcntl(source, F_DUPFD_CLOEXEC, count);
        if (moved[index] < 0) return -1;
    }
    for (int index = 0; index < count; index++) {
        if (dup2(moved[index], index) < 0) return -1;
    }
    return close_from(count);
}

static int set_limit(int resource, long long most) {
    struct rlimit limit;
    if (most < 0) return 0;
    if (getrlimit(resource, &limit) != 0) return -1;
    if ((rlim_t)most < limit.rlim_max) limit.rlim_max = (rlim_t)most;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit);
}

static int set_limits(const ac_spawn_plan *plan) {
    if (set_limit(RLIMIT_CORE, 0) != 0) return -1;
    if (set_limit(RLIMIT_AS, plan->memory) != 0) return -1;
    if (set_limit(RLIMIT_CPU, plan->processor_seconds) != 0) return -1;
    return set_limit(RLIMIT_NOFILE, plan->open_files);
}

/// Runs in the new process, which shares the old one's memory (see SHARING) while the calling thread waits. May only
/// make async-signal-safe calls, and change nothing but `start` and the stack.
static int prepare(struct start *start) {
    const ac_spawn_plan *plan = start->plan;
    forget_signals();
    if (setpgid(0, 0) != 0) return cannot(start, 0);
    if (plan->ends_with_thread) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return cannot(start, 0);
        // The parent may have died before prctl(2).
        if (getppid() != start->parent) _exit(127);
    }
    if (plan->folder && chdir(plan->folder) != 0) return cannot(start, AC_SPAWN_FOLDER);
    if (set_descriptors(plan) != 0) return cannot(start, AC_SPAWN_DESCRIPTORS);
    if (set_limits(plan) != 0) return cannot(start, AC_SPAWN_LIMITS);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(plan->path, plan->arguments, plan->environment);
    return cannot(start, AC_SPAWN_PROGRAM);
}

static int run(void *context) {
    prepare(context);
    _exit(127);
}

int ac_spawn(const ac_spawn_plan *plan, int *process, int *descriptor, int *step) {
    *step = 0;
    void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return errno;
    // `start` lies at the lowest address of the stack, which the stack reaches last because it grows downwards.
    struct start *start = stack;
    *start = (struct start){.plan = plan, .parent = getpid()};

    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *descriptor = -1;
    int flags = SHARING | SIGCHLD;
    char *top = (char *)stack + STACK_SIZE;
    int id = clone(run, top, flags | CLONE_PIDFD, start, descriptor);
    if (id < 0 && errno == EINVAL) id = clone(run, top, flags, start);
    int error = id < 0 ? errno : start->error;
    *step = start->step;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)munmap(stack, STACK_SIZE);

    if (error == 0) {
        *process = id;
        return 0;
    }
    if (id > 0) {
        while (waitpid(id, NULL, 0) < 0 && errno == EINTR) {
        }
        if (*descriptor >= 0) close(*descriptor);
    }
    return error;
}
