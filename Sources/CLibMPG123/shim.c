// SPDX-License-Identifier: MIT

#include "CLibMPG123.h"

#include <dlfcn.h>
#include <mpg123.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

const char *const ac_mpg123_library = "libmpg123.so.0";

// The library's own headers say the types.
static struct {
    __typeof__(mpg123_new) *new;
    __typeof__(mpg123_delete) *delete;
    __typeof__(mpg123_param) *param;
    __typeof__(mpg123_format_none) *format_none;
    __typeof__(mpg123_format2) *format2;
    __typeof__(mpg123_open_feed) *open_feed;
    __typeof__(mpg123_close) *close;
    __typeof__(mpg123_decode) *decode;
    __typeof__(mpg123_getformat) *getformat;
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

#define FIND(name) \
    (api.name = (__typeof__(api.name))dlsym(library, "mpg123_" #name)) == NULL

static void open_library(void) {
    void *library = dlopen(ac_mpg123_library, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL || FIND(new) || FIND(delete) || FIND(param) || FIND(format_none) || FIND(format2) ||
        FIND(open_feed) || FIND(close) || FIND(decode) || FIND(getformat)) {
        const char *text = dlerror();
        (void)snprintf(problem, sizeof problem, "%s", text ? text : ac_mpg123_library);
    }
}

const char *ac_mpg123_problem(void) {
    (void)pthread_once(&once, open_library);
    return problem[0] ? problem : NULL;
}

const char *ac_mpg123_problem_of(const char *name) {
    static _Thread_local char text[256];
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library) {
        (void)dlclose(library);
        return NULL;
    }
    const char *why = dlerror();
    (void)snprintf(text, sizeof text, "%s", why ? why : name);
    return text;
}

struct ac_mpg123 {
    mpg123_handle *handle;
    long rate;
    int channels;
};

// An info frame announces a length, at which NO_FRANKENSTEIN would end: it is taken for audio like any other.
static const long flags = MPG123_QUIET | MPG123_FORCE_FLOAT | MPG123_SKIP_ID3V2 | MPG123_NO_FRANKENSTEIN |
                          MPG123_NO_READAHEAD | MPG123_IGNORE_STREAMLENGTH | MPG123_IGNORE_INFOFRAME |
                          MPG123_NO_PEEK_END;

static bool set_up(ac_mpg123 *decoder) {
    mpg123_handle *handle = decoder->handle;
    return api.param(handle, MPG123_FLAGS, flags, 0) == MPG123_OK &&
           api.param(handle, MPG123_VERBOSE, 0, 0) == MPG123_OK &&
           api.param(handle, MPG123_RESYNC_LIMIT, -1, 0) == MPG123_OK &&
           api.format_none(handle) == MPG123_OK &&
           api.format2(handle, 0, MPG123_MONO | MPG123_STEREO, MPG123_ENC_FLOAT_32) == MPG123_OK &&
           api.open_feed(handle) == MPG123_OK;
}

ac_mpg123 *ac_mpg123_create(void) {
    ac_mpg123 *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    decoder->handle = api.new(NULL, NULL);
    if (decoder->handle && set_up(decoder)) return decoder;
    ac_mpg123_free(decoder);
    return NULL;
}

void ac_mpg123_free(ac_mpg123 *decoder) {
    if (decoder->handle) api.delete(decoder->handle);
    free(decoder);
}

bool ac_mpg123_reset(ac_mpg123 *decoder) {
    // The format is remembered: the library does not tell one anew that is the same as before.
    (void)api.close(decoder->handle);
    return api.open_feed(decoder->handle) == MPG123_OK;
}

bool ac_mpg123_set_free_format(ac_mpg123 *decoder, long size) {
    return api.param(decoder->handle, MPG123_FREEFORMAT_SIZE, size > 0 ? size : -1, 0) == MPG123_OK;
}

/// More calls than a frame can need.
enum { MOST_CALLS = 16 };

long ac_mpg123_decode(ac_mpg123 *decoder, const void *frame, size_t length, float *pcm, size_t room) {
    size_t written = 0;
    for (int call = 0; call < MOST_CALLS; call++) {
        size_t done = 0;
        // The library takes a frame over in the first call; the others ask for what comes of it.
        int result = api.decode(decoder->handle, call == 0 ? frame : NULL, call == 0 ? length : 0,
                                (unsigned char *)pcm + written, room * sizeof(float) - written, &done);
        written += done;
        if (result == MPG123_NEED_MORE) return (long)(written / sizeof(float));
        if (result == MPG123_NEW_FORMAT) {
            int encoding = 0;
            if (api.getformat(decoder->handle, &decoder->rate, &decoder->channels, &encoding) != MPG123_OK ||
                encoding != MPG123_ENC_FLOAT_32)
                return AC_MPG123_DAMAGED;
        } else if (result != MPG123_OK) {
            return AC_MPG123_DAMAGED;
        }
    }
    return AC_MPG123_DAMAGED;
}

long ac_mpg123_rate(const ac_mpg123 *decoder) { return decoder->rate; }

int ac_mpg123_channels(const ac_mpg123 *decoder) { return decoder->channels; }
