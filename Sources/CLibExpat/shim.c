// SPDX-License-Identifier: MIT

#include "CLibExpat.h"
#include "CLibrary.h"

#include <expat.h>
#include <stdlib.h>

// MARK: Library

#define FUNCTIONS(use) \
    use(XML_ParserCreateNS) \
    use(XML_ParserFree) \
    use(XML_SetUserData) \
    use(XML_SetElementHandler) \
    use(XML_SetCharacterDataHandler) \
    use(XML_SetEntityDeclHandler) \
    use(XML_SetSkippedEntityHandler) \
    use(XML_SetUnknownEncodingHandler) \
    use(XML_UseForeignDTD) \
    use(XML_Parse) \
    use(XML_StopParser) \
    use(XML_GetErrorCode) \
    use(XML_GetCurrentLineNumber) \
    use(XML_GetCurrentColumnNumber) \
    use(XML_ErrorString)

AC_LIBRARY("libexpat.so.1", FUNCTIONS)

const char *ac_expat_problem(void) { return ac_library_problem(&api_library); }

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
    if (ac_expat_problem()) return NULL;
    ac_expat *parser = calloc(1, sizeof *parser);
    if (!parser) return NULL;
    parser->hooks = *hooks;
    parser->handle = api.XML_ParserCreateNS(name, separator);
    if (!parser->handle) {
        free(parser);
        return NULL;
    }
    api.XML_SetUserData(parser->handle, parser);
    api.XML_SetElementHandler(parser->handle, start, end);
    api.XML_SetCharacterDataHandler(parser->handle, text);
    api.XML_SetEntityDeclHandler(parser->handle, entity);
    api.XML_SetSkippedEntityHandler(parser->handle, skipped);
    api.XML_SetUnknownEncodingHandler(parser->handle, encoding, parser);
    // Pretend that there are external declarations, which are never read: undeclared entities are then reported instead
    // of being errors.
    api.XML_UseForeignDTD(parser->handle, XML_TRUE);
    return parser;
}

int ac_expat_parse(ac_expat *parser, const void *bytes, int count, bool is_last) {
    // Before 2.6, expat rejects a null pointer even with a length of 0.
    if (api.XML_Parse(parser->handle, bytes ? bytes : "", count, is_last) == XML_STATUS_OK) return 0;
    int error = (int)api.XML_GetErrorCode(parser->handle);
    return error ? error : (int)XML_ERROR_UNEXPECTED_STATE;
}

void ac_expat_stop(ac_expat *parser) { api.XML_StopParser(parser->handle, XML_FALSE); }

unsigned long ac_expat_line(ac_expat *parser) { return (unsigned long)api.XML_GetCurrentLineNumber(parser->handle); }

unsigned long ac_expat_column(ac_expat *parser) { return (unsigned long)api.XML_GetCurrentColumnNumber(parser->handle); }

const char *ac_expat_describe(int error) {
    const char *words = ac_expat_problem() ? NULL : api.XML_ErrorString((enum XML_Error)error);
    return words ? words : "no reason given";
}

void ac_expat_free(ac_expat *parser) {
    api.XML_ParserFree(parser->handle);
    free(parser);
}
