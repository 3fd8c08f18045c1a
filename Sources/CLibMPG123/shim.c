// SPDX-License-Identifier: MIT

#include "CLibMPG123.h"
#include "CLibrary.h"

#include <mpg123.h>
#include <stdlib.h>

#define LIBRARY "libmpg123.so.0"
const char *const ac_mpg123_library = LIBRARY;

#define FUNCTIONS(use) \
    use(mpg123_new) \
    use(mpg123_delete) \
    use(mpg123_param) \
    use(mpg123_format_none) \
    use(mpg123_format2) \
    use(mpg123_open_feed) \
    use(mpg123_close) \
    use(mpg123_decode) \
    use(mpg123_getformat)

AC_LIBRARY(LIBRARY, FUNCTIONS)

const char *ac_mpg123_problem(void) { return ac_library_problem(&api_library); }

struct ac_mpg123 {
    mpg123_handle *handle;
    long rate;
    int channels;
};

// With NO_FRANKENSTEIN, decoding would end at the length that an info frame announces, so an info frame is treated as
// audio like any other frame.
static const long flags = MPG123_QUIET | MPG123_FORCE_FLOAT | MPG123_SKIP_ID3V2 | MPG123_NO_FRANKENSTEIN |
                          MPG123_NO_READAHEAD | MPG123_IGNORE_STREAMLENGTH | MPG123_IGNORE_INFOFRAME |
                          MPG123_NO_PEEK_END;

static bool set_up(ac_mpg123 *decoder) {
    mpg123_handle *handle = decoder->handle;
    return api.mpg123_param(handle, MPG123_FLAGS, flags, 0) == MPG123_OK &&
           api.mpg123_param(handle, MPG123_VERBOSE, 0, 0) == MPG123_OK &&
           api.mpg123_param(handle, MPG123_RESYNC_LIMIT, -1, 0) == MPG123_OK &&
           api.mpg123_format_none(handle) == MPG123_OK &&
           api.mpg123_format2(handle, 0, MPG123_MONO | MPG123_STEREO, MPG123_ENC_FLOAT_32) == MPG123_OK &&
           api.mpg123_open_feed(handle) == MPG123_OK;
}

ac_mpg123 *ac_mpg123_create(void) {
    ac_mpg123 *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    decoder->handle = api.mpg123_new(NULL, NULL);
    if (decoder->handle && set_up(decoder)) return decoder;
    ac_mpg123_free(decoder);
    return NULL;
}

void ac_mpg123_free(ac_mpg123 *decoder) {
    if (decoder->handle) api.mpg123_delete(decoder->handle);
    free(decoder);
}

bool ac_mpg123_reset(ac_mpg123 *decoder) {
    // Do not forget the known format here: the library does not report the format again if it is the same as before.
    (void)api.mpg123_close(decoder->handle);
    return api.mpg123_open_feed(decoder->handle) == MPG123_OK;
}

bool ac_mpg123_set_free_format(ac_mpg123 *decoder, long size) {
    return api.mpg123_param(decoder->handle, MPG123_FREEFORMAT_SIZE, size > 0 ? size : -1, 0) == MPG123_OK;
}

/// The limit of calls for one frame, more than any frame can need.
enum { MOST_CALLS = 16 };

long ac_mpg123_decode(ac_mpg123 *decoder, const void *frame, size_t length, float *pcm, size_t room) {
    size_t written = 0;
    for (int call = 0; call < MOST_CALLS; call++) {
        size_t done = 0;
        // The first call passes the frame; further calls fetch the output.
        int result = api.mpg123_decode(decoder->handle, call == 0 ? frame : NULL, call == 0 ? length : 0,
                                (unsigned char *)pcm + written, room * sizeof(float) - written, &done);
        written += done;
        if (result == MPG123_NEED_MORE) return (long)(written / sizeof(float));
        if (result == MPG123_NEW_FORMAT) {
            int encoding = 0;
            if (api.mpg123_getformat(decoder->handle, &decoder->rate, &decoder->channels, &encoding) != MPG123_OK ||
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
