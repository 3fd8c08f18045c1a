// SPDX-License-Identifier: MIT
//
// libexpat behind prefixed functions, typed by its own headers. The library is opened (dlopen(3)) when it is first needed:
// a program that never asks for it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBEXPAT_H
#define CLIBEXPAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// An XML_Parser with its hooks. Belongs to one thread at a time.
typedef struct ac_expat ac_expat;

/// What a parser says. Names are `URI separator local-name`, or `local-name` where there is no namespace. None of them
/// may free the parser; ac_expat_stop may be called. Texts are UTF-8 and valid during the call only.
typedef struct ac_expat_hooks {
    void *context;
    /// `attributes`: names and values in turn, NULL at the end.
    void (*start)(void *context, const char *name, const char *_Nullable const *_Nonnull attributes);
    void (*end)(void *context, const char *name);
    void (*text)(void *context, const char *bytes, int count);
    /// The document declares an entity of its own.
    void (*entity)(void *context);
    /// A reference to an entity that is not declared here.
    void (*skipped)(void *context, const char *name);
    /// An encoding that expat does not know: fill in the code points of all 256 bytes, -1 for those that mean nothing.
    /// False where nobody knows it.
    bool (*encoding)(void *context, const char *name, int *_Nonnull map);
} ac_expat_hooks;

/// Opens the library, once. NULL where that has worked, else why it has not.
const char *_Nullable ac_expat_problem(void);

/// A parser whose hooks are copied, with namespaces on (XML_ParserCreateNS). `encoding` overrides what the document
/// says. NULL without memory, and without the library.
ac_expat *_Nullable ac_expat_create(const char *_Nullable encoding, char separator, const ac_expat_hooks *hooks);
/// XML_Parse. 0, or an enum XML_Error.
int ac_expat_parse(ac_expat *parser, const void *_Nullable bytes, int count, bool is_last);
/// Says no more and has ac_expat_parse return (XML_StopParser).
void ac_expat_stop(ac_expat *parser);
/// Where the parser is: lines from 1, columns from 0.
unsigned long ac_expat_line(ac_expat *parser);
unsigned long ac_expat_column(ac_expat *parser);
/// The text of an enum XML_Error (XML_ErrorString).
const char *ac_expat_describe(int error);
void ac_expat_free(ac_expat *parser);

#pragma clang assume_nonnull end

#endif
