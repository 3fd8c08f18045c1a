// SPDX-License-Identifier: MIT

#include "CLibOpus.h"

#include <dlfcn.h>
#include <limits.h>
#include <opus/opus_multistream.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

const char *const ac_opus_library = "libopus.so.0";

// The library's own headers say the types.
static struct {
    __typeof__(opus_multistream_decoder_create) *decoder_create;
    __typeof__(opus_multistream_decoder_destroy) *decoder_destroy;
    __typeof__(opus_multistream_decoder_ctl) *decoder_ctl;
    __typeof__(opus_multistream_decode_float) *decode_float;
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

#define FIND(name) \
    (api.name = (__typeof__(api.name))dlsym(library, "opus_multistream_" #name)) == NULL

static void open_library(void) {
    void *library = dlopen(ac_opus_library, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL || FIND(decoder_create) || FIND(decoder_destroy) || FIND(decoder_ctl) || FIND(decode_float)) {
        const char *text = dlerror();
        (void)snprintf(problem, sizeof problem, "%s", text ? text : ac_opus_library);
    }
}

const char *ac_opus_problem(void) {
    (void)pthread_once(&once, open_library);
    return problem[0] ? problem : NULL;
}

const char *ac_opus_problem_of(const char *name) {
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

struct ac_opus {
    OpusMSDecoder *decoder;
};

ac_opus *ac_opus_create(int channels, int streams, int coupled, const uint8_t *mapping, int gain) {
    ac_opus *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    int error = OPUS_OK;
    decoder->decoder = api.decoder_create(48000, channels, streams, coupled, mapping, &error);
    if (decoder->decoder && error == OPUS_OK &&
        (gain == 0 || api.decoder_ctl(decoder->decoder, OPUS_SET_GAIN(gain)) == OPUS_OK))
        return decoder;
    ac_opus_free(decoder);
    return NULL;
}

void ac_opus_free(ac_opus *decoder) {
    if (decoder->decoder) api.decoder_destroy(decoder->decoder);
    free(decoder);
}

void ac_opus_reset(ac_opus *decoder) { (void)api.decoder_ctl(decoder->decoder, OPUS_RESET_STATE); }

int ac_opus_decode(ac_opus *decoder, const void *packet, size_t length, float *pcm, int room) {
    // No bytes stand for a lost packet, which would be made up.
    if (length == 0 || length > INT_MAX) return OPUS_INVALID_PACKET;
    return api.decode_float(decoder->decoder, packet, (opus_int32)length, pcm, room, 0);
}
