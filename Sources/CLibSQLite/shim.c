// SPDX-License-Identifier: MIT

#include "CLibSQLite.h"
#include "CLibrary.h"

#include <sqlite3.h>

#define FUNCTIONS(use) \
    use(sqlite3_errmsg)

AC_LIBRARY("libsqlite3.so.0", FUNCTIONS)

const char *ac_sqlite_problem(void) { return ac_library_problem(&api_library); }
