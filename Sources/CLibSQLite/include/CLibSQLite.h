// SPDX-License-Identifier: MIT
//
// SQLite behind prefixed functions, typed by its own header. The library is opened on first use (dlopen(3)). No system
// header is included here; see CLinux.h.

#ifndef CLIBSQLITE_H
#define CLIBSQLITE_H

/// Opens the library, once. Returns NULL on success, otherwise the reason for the failure.
const char *_Nullable ac_sqlite_problem(void);

#endif
