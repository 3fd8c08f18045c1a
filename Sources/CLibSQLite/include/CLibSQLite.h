// SPDX-License-Identifier: MIT
//
// SQLite behind prefixed functions, typed by its own header. The library is opened on first use (dlopen(3)): a program
// that never uses it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBSQLITE_H
#define CLIBSQLITE_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// An open database (sqlite3) and a prepared statement (sqlite3_stmt). Each belongs to one thread at a time.
typedef struct ac_sqlite ac_sqlite;
typedef struct ac_sqlite_statement ac_sqlite_statement;

/// The results of a step, other than result codes.
enum { AC_SQLITE_ROW = 100, AC_SQLITE_DONE = 101 };

/// Kinds of a column's value.
enum { AC_SQLITE_INTEGER = 1, AC_SQLITE_TEXT = 3, AC_SQLITE_NULL = 5 };

/// Opens the library, once. Returns NULL on success, otherwise the reason for the failure.
const char *_Nullable ac_sqlite_problem(void);

/// Opens or creates a database (sqlite3_open_v2 without mutexes), with extended result codes, a wait for locks of
/// `wait` milliseconds, and protection against hostile database files (SQLITE_DBCONFIG_DEFENSIVE, no trusted_schema).
/// `database` is set unless there is no memory, even after a failure. Returns a result code.
int ac_sqlite_open(const char *path, int wait, ac_sqlite *_Nullable *_Nonnull database);
/// Closes a database (sqlite3_close_v2).
void ac_sqlite_close(ac_sqlite *database);
/// Runs statements without results (sqlite3_exec).
int ac_sqlite_run(ac_sqlite *database, const char *sql);
/// The description of the last failure (sqlite3_errmsg).
const char *ac_sqlite_message(ac_sqlite *database);
/// The number of rows that the last statement has changed (sqlite3_changes).
int ac_sqlite_changes(ac_sqlite *database);

/// Prepares a statement that is used many times (sqlite3_prepare_v3).
int ac_sqlite_prepare(ac_sqlite *database, const char *sql, ac_sqlite_statement *_Nullable *_Nonnull statement);
void ac_sqlite_finalize(ac_sqlite_statement *statement);
/// Each of these functions sets a parameter of a statement. Parameters count from 1. Texts are copied.
int ac_sqlite_bind_integer(ac_sqlite_statement *statement, int index, int64_t value);
int ac_sqlite_bind_text(ac_sqlite_statement *statement, int index, const char *bytes, int count);
int ac_sqlite_bind_null(ac_sqlite_statement *statement, int index);
/// Runs the statement up to its next row (sqlite3_step). Returns AC_SQLITE_ROW, AC_SQLITE_DONE, or a result code.
int ac_sqlite_step(ac_sqlite_statement *statement);
/// Makes the statement ready to be run again, without parameters.
void ac_sqlite_reset(ac_sqlite_statement *statement);
/// These functions read the current row. Columns count from 0.
int ac_sqlite_column_kind(ac_sqlite_statement *statement, int column);
int64_t ac_sqlite_column_integer(ac_sqlite_statement *statement, int column);
/// The bytes of a text, valid until the next step or reset.
const unsigned char *_Nullable ac_sqlite_column_text(ac_sqlite_statement *statement, int column, int *count);

#pragma clang assume_nonnull end

#endif
