// SPDX-License-Identifier: MIT
//
// Libraries that are opened on first use (dlopen(3)): a program that never uses a library neither loads nor needs it.
// No system header is included here; see CLinux.h.

#ifndef CLIBRARY_H
#define CLIBRARY_H

#pragma clang assume_nonnull begin

/// A function of a library, and where to store its address.
typedef struct {
    const char *name;
    void *pointer;
} ac_function;

/// A library, and the functions needed from it.
typedef struct {
    /// The library's file name.
    const char *file;
    const ac_function *functions;
    int function_count;
    /// 0 before the first attempt; then 1 for success, or -1 for a failure with its reason.
    int outcome;
    char problem[256];
} ac_library;

/// Opens the library at the first call and finds its functions. Returns NULL if all of them exist, otherwise the
/// reason. Callable from any thread. The reason lives as long as the library.
const char *_Nullable ac_library_problem(ac_library *library);

/// Declares what a shim needs to call a library whose header it includes: `api`, with a pointer for each function, and
/// `api_library`, which fills them. `each` is a macro that applies its argument to the name of every function; the
/// header supplies the types.
#define AC_LIBRARY(file_name, each)                                                                                    \
    static struct {                                                                                                    \
        each(AC_LIBRARY_POINTER)                                                                                       \
    } api;                                                                                                             \
    static const ac_function api_functions[] = {each(AC_LIBRARY_FUNCTION)};                                            \
    static ac_library api_library = {                                                                                  \
        .file = file_name,                                                                                             \
        .functions = api_functions,                                                                                    \
        .function_count = sizeof api_functions / sizeof api_functions[0],                                              \
    };
#define AC_LIBRARY_POINTER(name) __typeof__(name) *name;
#define AC_LIBRARY_FUNCTION(name) {#name, (void *)&api.name},

#pragma clang assume_nonnull end

#endif
