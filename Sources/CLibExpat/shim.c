// SPDX-License-Identifier: MIT

#include "CLibExpat.h"

#include <dlfcn.h>
#include <expat.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// MARK: Library

static struct {
    __typeof__(XML_ParserCreateNS) *create;
    __typeof__(XML_ParserFree) *free;
    __typeof__(XML_SetUserData) *set_user_data;
    __typeof__(XML_SetElementHandler) *set_element_handler;
    __typeof__(XML_SetCharacterDataHandler) *set_text_handler;
    __typeof__(XML_SetEntityDeclHandler) *set_entity_handler;
    __typeof__(XML_SetSkippedEntityHandler) *set_skipped_handler;
    __typeof__(XML_SetUnknownEncodingHandler) *set_encoding_handler;
    __typeof__(XML_UseForeignDTD) *use_foreign_dtd;
    __typeof__(XML_Parse) *parse;
    __typeof__(XML_StopParser) *stop;
    __typeof__(XML_GetErrorCode) *error;
    __typeof__(XML_GetCurrentLineNumber) *line;
    __typeof__(XML_GetCurrentColumnNumber) *column;
    __typeof__(XML_ErrorString) *describe;
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256];

static void *library;

static void *find(const char *name) {
    void *found = failure[0] ? NULL : dlsym(library, name);
    if (!found && !failure[0]) snprintf(failure, sizeof failure, "libexpat has no %s", name);
    return found;
}

static void load(void) {
    library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        snprintf(failure, sizeof failure, "%s", why ? why : "libexpat.so.1 cannot be opened");
        return;
    }
#define FIND(member, name) api.member = (__typeof__(api.member))find(#name)
    FIND(create, XML_ParserCreateNS);
    FIND(free, XML_ParserFree);
    FIND(set_user_data, XML_SetUserData);
    FIND(set_element_handler, XML_SetElementHandler);
    FIND(set_text_handler, XML_SetCharacterDataHandler);
    FIND(set_entity_handler, XML_SetEntityDeclHandler);
    FIND(set_skipped_handler, XML_SetSkippedEntityHandler);
    FIND(set_encoding_handler, XML_SetUnknownEncodingHandler);
    FIND(use_foreign_dtd, XML_UseForeignDTD);
    FIND(parse, XML_Parse);
    FIND(stop, XML_StopParser);
    FIND(error, XML_GetErrorCode);
    FIND(line, XML_GetCurrentLineNumber);
    FIND(column, XML_GetCurrentColumnNumber);
    FIND(describe, XML_ErrorString);
#undef FIND
}

const char *ac_expat_load(void) {
    pthread_once(&once, load);
    return failure[0] ? failure : NULL;
}

// MARK: Parser

struct ac_expat {
    XML_Parser handle;
    ac_expat_hooks hooks;
};

static void XMLCALL start(void *data, const XML_Char *name, const XML_Char **attributes) {
    ac_expat *parser = data;
    parser->hooks.start(parser->hooks.context, name, attributes);
}

static void XMLCALL end(void *data, const XML_Char *name) {
    ac_expat *parser = data;
    parser->hooks.end(parser->hooks.context, name);
}

static void XMLCALL text(void *data, const XML_Char *bytes, int count) {
    ac_expat *parser = data;
    parser->hooks.text(parser->hooks.context, bytes, count);
}

static void XMLCALL entity(void *data, const XML_Char *name, int is_parameter, const XML_Char *value, int count,
                           const XML_Char *base, const XML_Char *system, const XML_Char *public_id,
                           const XML_Char *notation) {
    (void)name, (void)is_parameter, (void)value, (void)count, (void)base, (void)system, (void)public_id, (void)notation;
    ac_expat *parser = data;
    parser->hooks.entity(parser->hooks.context);
}

static void XMLCALL skipped(void *data, const XML_Char *name, int is_parameter) {
    ac_expat *parser = data;
    if (!is_parameter) parser->hooks.skipped(parser->hooks.context, name);
}

static int XMLCALL encoding(void *data, const XML_Char *name, XML_Encoding *info) {
    ac_expat *parser = data;
    if (!parser->hooks.encoding(parser->hooks.context, name, info->map)) return XML_STATUS_ERROR;
    info->data = NULL;
    info->convert = NULL;
    info->release = NULL;
    return XML_STATUS_OK;
}

ac_expat *ac_expat_create(const char *name, char separator, const ac_expat_hooks *hooks) {
    if (ac_expat_load()) return NULL;
    ac_expat *parser = calloc(1, sizeof *parser);
    if (!parser) return NULL;
    parser->hooks = *hooks;
    parser->handle = api.create(name, separator);
    if (!parser->handle) {
        free(parser);
        return NULL;
    }
    api.set_user_data(parser->handle, parser);
    api.set_element_handler(parser->handle, start, end);
    api.set_text_handler(parser->handle, text);
    api.set_entity_handler(parser->handle, entity);
    api.set_skipped_handler(parser->handle, skipped);
    api.set_encoding_handler(parser->handle, encoding, parser);
    // As if there were declarations elsewhere, which nobody reads: entities that are not declared are told, and are no
    // error.
    api.use_foreign_dtd(parser->handle, XML_TRUE);
    return parser;
}

int ac_expat_parse(ac_expat *parser, const void *bytes, int count, bool is_last) {
    // Expat takes no null pointer before 2.6, not even with nothing behind it.
    if (api.parse(parser->handle, bytes ? bytes : "", count, is_last) == XML_STATUS_OK) return 0;
    int error = (int)api.error(parser->handle);
    return error ? error : (int)XML_ERROR_UNEXPECTED_STATE;
}

void ac_expat_stop(ac_expat *parser) { api.stop(parser->handle, XML_FALSE); }

unsigned long ac_expat_line(ac_expat *parser) { return (unsigned long)api.line(parser->handle); }

unsigned long ac_expat_column(ac_expat *parser) { return (unsigned long)api.column(parser->handle); }

const char *ac_expat_describe(int error) {
    const char *words = ac_expat_load() ? NULL : api.describe((enum XML_Error)error);
    return words ? words : "no reason given";
}

void ac_expat_free(ac_expat *parser) {
    api.free(parser->handle);
    free(parser);
}
