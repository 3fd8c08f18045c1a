// SPDX-License-Identifier: MIT
//
// libexpat behind prefixed functions, typed by its own headers. The library is opened on first use (dlopen(3)): a
// program that never uses it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBEXPAT_H
#define CLIBEXPAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// An XML_Parser with its hooks. Belongs to one thread at a time.
typedef struct ac_expat ac_expat;

/// A parser's events. Names are `URI separator local-name`, or `local-name` without a namespace. A hook must not free
/// the parser, but may call ac_expat_stop. Texts are UTF-8 and valid during the call only.
typedef struct ac_expat_hooks {
    void *context;
    /// `attributes`: alternating names and values, ending with NULL.
    void (*start)(void *context, const char *name, const char *_Nullable const *_Nonnull attributes);
    void (*end)(void *context, const char *name);
    void (*text)(void *context, const char *bytes, int count);
    /// The document declares an entity.
    void (*entity)(void *context);
    /// A reference to an entity that the document does not declare.
    void (*skipped)(void *context, const char *name);
    /// An encoding unknown to expat: fill in the code points of all 256 bytes, -1 for bytes without one. Return false
    /// if the encoding is unknown here, too.
    bool (*encoding)(void *context, const char *name, int *_Nonnull map);
} ac_expat_hooks;

/// Opens the library, once. Returns NULL on success, otherwise the reason for the failure.
const char *_Nullable ac_expat_problem(void);

/// Creates a parser with namespaces (XML_ParserCreateNS) and copies the hooks. `encoding` overrides the document's own.
/// NULL without memory, or without the library.
ac_expat *_Nullable ac_expat_create(const char *_Nullable encoding, char separator, const ac_expat_hooks *hooks);
/// XML_Parse. 0, or an enum XML_Error.
int ac_expat_parse(ac_expat *parser, const void *_Nullable bytes, int count, bool is_last);
/// Stops all events and makes ac_expat_parse return (XML_StopParser).
void ac_expat_stop(ac_expat *parser);
/// The parser's position: lines from 1, columns from 0.
unsigned long ac_expat_line(ac_expat *parser);
unsigned long ac_expat_column(ac_expat *parser);
/// The text of an enum XML_Error (XML_ErrorString).
const char *ac_expat_describe(int error);
void ac_expat_free(ac_expat *parser);

#pragma clang assume_nonnull end

#endif
