// SPDX-License-Identifier: MIT

#include "CLibSQLite.h"
#include "CLibrary.h"

#include <sqlite3.h>
#include <stddef.h>

#define FUNCTIONS(use) \
    use(sqlite3_open_v2) \
    use(sqlite3_close_v2) \
    use(sqlite3_exec) \
    use(sqlite3_errmsg) \
    use(sqlite3_changes) \
    use(sqlite3_busy_timeout) \
    use(sqlite3_extended_result_codes) \
    use(sqlite3_db_config) \
    use(sqlite3_prepare_v3) \
    use(sqlite3_finalize) \
    use(sqlite3_bind_int64) \
    use(sqlite3_bind_text) \
    use(sqlite3_bind_null) \
    use(sqlite3_step) \
    use(sqlite3_reset) \
    use(sqlite3_clear_bindings) \
    use(sqlite3_column_type) \
    use(sqlite3_column_int64) \
    use(sqlite3_column_text) \
    use(sqlite3_column_bytes)

AC_LIBRARY("libsqlite3.so.0", FUNCTIONS)

_Static_assert(AC_SQLITE_ROW == SQLITE_ROW && AC_SQLITE_DONE == SQLITE_DONE, "the codes are SQLite's");
_Static_assert(AC_SQLITE_INTEGER == SQLITE_INTEGER && AC_SQLITE_TEXT == SQLITE3_TEXT && AC_SQLITE_NULL == SQLITE_NULL,
               "the kinds are SQLite's");

const char *ac_sqlite_problem(void) { return ac_library_problem(&api_library); }

static sqlite3 *raw(ac_sqlite *database) { return (sqlite3 *)database; }
static sqlite3_stmt *raw_statement(ac_sqlite_statement *statement) { return (sqlite3_stmt *)statement; }

int ac_sqlite_open(const char *path, int wait, ac_sqlite **database) {
    sqlite3 *handle = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW;
    int result = api.sqlite3_open_v2(path, &handle, flags, NULL);
    *database = (ac_sqlite *)handle;
    if (result != SQLITE_OK) return result;
    (void)api.sqlite3_extended_result_codes(handle, 1);
    (void)api.sqlite3_busy_timeout(handle, wait);
    (void)api.sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)api.sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return SQLITE_OK;
}

void ac_sqlite_close(ac_sqlite *database) { (void)api.sqlite3_close_v2(raw(database)); }

int ac_sqlite_run(ac_sqlite *database, const char *sql) {
    return api.sqlite3_exec(raw(database), sql, NULL, NULL, NULL);
}

const char *ac_sqlite_message(ac_sqlite *database) { return api.sqlite3_errmsg(raw(database)); }

int ac_sqlite_changes(ac_sqlite *database) { return api.sqlite3_changes(raw(database)); }

int ac_sqlite_prepare(ac_sqlite *database, const char *sql, ac_sqlite_statement **statement) {
    sqlite3_stmt *prepared = NULL;
    int result = api.sqlite3_prepare_v3(raw(database), sql, -1, SQLITE_PREPARE_PERSISTENT, &prepared, NULL);
    *statement = (ac_sqlite_statement *)prepared;
    return result;
}

void ac_sqlite_finalize(ac_sqlite_statement *statement) { (void)api.sqlite3_finalize(raw_statement(statement)); }

int ac_sqlite_bind_integer(ac_sqlite_statement *statement, int index, int64_t value) {
    return api.sqlite3_bind_int64(raw_statement(statement), index, value);
}

int ac_sqlite_bind_text(ac_sqlite_statement *statement, int index, const char *bytes, int count) {
    return api.sqlite3_bind_text(raw_statement(statement), index, bytes, count, SQLITE_TRANSIENT);
}

int ac_sqlite_bind_null(ac_sqlite_statement *statement, int index) {
    return api.sqlite3_bind_null(raw_statement(statement), index);
}

int ac_sqlite_step(ac_sqlite_statement *statement) { return api.sqlite3_step(raw_statement(statement)); }

void ac_sqlite_reset(ac_sqlite_statement *statement) {
    (void)api.sqlite3_reset(raw_statement(statement));
    (void)api.sqlite3_clear_bindings(raw_statement(statement));
}

int ac_sqlite_column_kind(ac_sqlite_statement *statement, int column) {
    return api.sqlite3_column_type(raw_statement(statement), column);
}

int64_t ac_sqlite_column_integer(ac_sqlite_statement *statement, int column) {
    return api.sqlite3_column_int64(raw_statement(statement), column);
}

const unsigned char *ac_sqlite_column_text(ac_sqlite_statement *statement, int column, int *count) {
    const unsigned char *text = api.sqlite3_column_text(raw_statement(statement), column);
    *count = api.sqlite3_column_bytes(raw_statement(statement), column);
    return text;
}
