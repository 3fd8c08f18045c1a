// SPDX-License-Identifier: MIT
//
// toml++ behind prefixed functions: a document as a list of nodes. No system header is included here; see CLinux.h.

#ifndef CLIBTOML_H
#define CLIBTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __clang__
#pragma clang assume_nonnull begin
#define AC_TOML_NULLABLE _Nullable
#else
#define AC_TOML_NULLABLE
#endif

typedef enum ac_toml_kind {
    AC_TOML_TABLE,
    AC_TOML_ARRAY,
    AC_TOML_STRING,
    AC_TOML_INTEGER,
    AC_TOML_FLOAT,
    AC_TOML_BOOLEAN,
    AC_TOML_DATE,
    AC_TOML_TIME,
    AC_TOML_DATE_TIME,
} ac_toml_kind;

/// Bytes of UTF-8 that may contain NUL. They belong to the document.
typedef struct ac_toml_text {
    const char *bytes;
    size_t count;
} ac_toml_text;

/// One value. Lines and columns are counted from 1; 0 if unknown.
typedef struct ac_toml_node {
    ac_toml_kind kind;
    /// The index of the table or array that contains the value; -1 for the root.
    int64_t parent;
    /// The place of the key, or of the value if it is in an array.
    uint32_t line;
    uint32_t column;
    /// Empty in arrays.
    ac_toml_text key;
    /// The string, or a date or time in the notation of TOML.
    ac_toml_text text;
    int64_t integer;
    double real;
    bool boolean;
} ac_toml_node;

/// Why a document was rejected.
typedef enum ac_toml_problem {
    AC_TOML_VALID,
    AC_TOML_SYNTAX,
    AC_TOML_TOO_DEEP,
    AC_TOML_TOO_MANY,
    AC_TOML_NO_MEMORY,
} ac_toml_problem;

/// A parsed document, or the reason why there is none. It may be read on any thread.
typedef struct ac_toml ac_toml;

/// The deepest nesting of tables and arrays. The parser has the same limit for values within values, but none for the
/// parts of a dotted key: the caller must limit those, because toml++ releases tables recursively.
#define AC_TOML_DEEPEST 32

/// Parses UTF-8. Returns NULL without memory. A document of more than `most` nodes is rejected with a problem. No C++
/// exception escapes.
ac_toml *AC_TOML_NULLABLE ac_toml_parse(const char *bytes, size_t count, size_t most);
ac_toml_problem ac_toml_problem_of(const ac_toml *document);
/// The parser's own message for a syntax error; empty otherwise.
ac_toml_text ac_toml_message(const ac_toml *document);
/// The place of the problem, counted from 1; 0 if unknown.
uint32_t ac_toml_line(const ac_toml *document);
uint32_t ac_toml_column(const ac_toml *document);
/// The number of nodes; 0 for an invalid document. The root is the first node, and parents come before their children.
size_t ac_toml_count(const ac_toml *document);
/// The node with this index, which must be less than the count.
ac_toml_node ac_toml_node_at(const ac_toml *document, size_t index);
void ac_toml_free(ac_toml *document);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif

#ifdef __cplusplus
}
#endif

#endif
