// SPDX-License-Identifier: MIT

#include "CLibVorbis.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <vorbis/codec.h>

const char *const ac_vorbis_library = "libvorbis.so.0";

// The library's own headers say the types.
static struct {
    __typeof__(vorbis_info_init) *info_init;
    __typeof__(vorbis_info_clear) *info_clear;
    __typeof__(vorbis_info_blocksize) *info_blocksize;
    __typeof__(vorbis_comment_init) *comment_init;
    __typeof__(vorbis_comment_clear) *comment_clear;
    __typeof__(vorbis_block_init) *block_init;
    __typeof__(vorbis_block_clear) *block_clear;
    __typeof__(vorbis_dsp_clear) *dsp_clear;
    __typeof__(vorbis_synthesis_headerin) *synthesis_headerin;
    __typeof__(vorbis_synthesis_init) *synthesis_init;
    __typeof__(vorbis_synthesis_restart) *synthesis_restart;
    __typeof__(vorbis_synthesis) *synthesis;
    __typeof__(vorbis_synthesis_blockin) *synthesis_blockin;
    __typeof__(vorbis_synthesis_pcmout) *synthesis_pcmout;
    __typeof__(vorbis_synthesis_read) *synthesis_read;
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

#define FIND(name) \
    (api.name = (__typeof__(api.name))dlsym(library, "vorbis_" #name)) == NULL

static void open_library(void) {
    void *library = dlopen(ac_vorbis_library, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL || FIND(info_init) || FIND(info_clear) || FIND(info_blocksize) || FIND(comment_init) ||
        FIND(comment_clear) || FIND(block_init) || FIND(block_clear) || FIND(dsp_clear) || FIND(synthesis_headerin) ||
        FIND(synthesis_init) || FIND(synthesis_restart) || FIND(synthesis) || FIND(synthesis_blockin) ||
        FIND(synthesis_pcmout) || FIND(synthesis_read)) {
        const char *text = dlerror();
        (void)snprintf(problem, sizeof problem, "%s", text ? text : ac_vorbis_library);
    }
}

const char *ac_vorbis_problem(void) {
    (void)pthread_once(&once, open_library);
    return problem[0] ? problem : NULL;
}

const char *ac_vorbis_problem_of(const char *name) {
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

struct ac_vorbis {
    vorbis_info info;
    vorbis_comment comment;
    vorbis_dsp_state state;
    vorbis_block block;
    bool has_state;
    bool has_block;
    long long packets;
};

ac_vorbis *ac_vorbis_create(void) {
    ac_vorbis *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    api.info_init(&decoder->info);
    api.comment_init(&decoder->comment);
    return decoder;
}

void ac_vorbis_free(ac_vorbis *decoder) {
    if (decoder->has_block) (void)api.block_clear(&decoder->block);
    if (decoder->has_state) api.dsp_clear(&decoder->state);
    api.comment_clear(&decoder->comment);
    api.info_clear(&decoder->info);
    free(decoder);
}

/// A packet of which nothing is known but its bytes and its number.
static ogg_packet packet_of(ac_vorbis *decoder, const void *bytes, size_t length) {
    ogg_packet packet = {.packet = (unsigned char *)bytes, .bytes = (long)length, .granulepos = -1};
    packet.b_o_s = decoder->packets == 0;
    packet.packetno = decoder->packets++;
    return packet;
}

bool ac_vorbis_take_header(ac_vorbis *decoder, const void *bytes, size_t length) {
    if (length == 0 || length > INT_MAX) return false;
    ogg_packet packet = packet_of(decoder, bytes, length);
    return api.synthesis_headerin(&decoder->info, &decoder->comment, &packet) == 0;
}

bool ac_vorbis_start(ac_vorbis *decoder) {
    // With a rate, the identification was read; the library itself refuses a missing setup.
    if (decoder->info.rate <= 0 || decoder->packets != 3) return false;
    if (api.synthesis_init(&decoder->state, &decoder->info) != 0) return false;
    decoder->has_state = true;
    decoder->has_block = api.block_init(&decoder->state, &decoder->block) == 0;
    return decoder->has_block;
}

void ac_vorbis_reset(ac_vorbis *decoder) { (void)api.synthesis_restart(&decoder->state); }

int ac_vorbis_channels(const ac_vorbis *decoder) { return decoder->info.channels; }

int ac_vorbis_largest_block(ac_vorbis *decoder) { return api.info_blocksize(&decoder->info, 1); }

int ac_vorbis_decode(
    ac_vorbis *decoder, const void *bytes, size_t length, const uint8_t *order, float *pcm, int room) {
    if (length == 0 || length > INT_MAX) return -1;
    ogg_packet packet = packet_of(decoder, bytes, length);
    if (api.synthesis(&decoder->block, &packet) != 0) return -1;
    if (api.synthesis_blockin(&decoder->state, &decoder->block) != 0) return -1;
    int channels = decoder->info.channels;
    int written = 0;
    float **planes = NULL;
    int count;
    while ((count = api.synthesis_pcmout(&decoder->state, &planes)) > 0) {
        if (count > room - written) return -1;
        for (int channel = 0; channel < channels; channel++) {
            const float *plane = planes[order[channel]];
            float *place = pcm + (size_t)written * (size_t)channels + channel;
            for (int sample = 0; sample < count; sample++) place[(size_t)sample * (size_t)channels] = plane[sample];
        }
        written += count;
        (void)api.synthesis_read(&decoder->state, count);
    }
    return written;
}
