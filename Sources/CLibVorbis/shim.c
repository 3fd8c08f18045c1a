// SPDX-License-Identifier: MIT

#include "CLibVorbis.h"
#include "CLibrary.h"

#include <limits.h>
#include <stdlib.h>
#include <vorbis/codec.h>

#define LIBRARY "libvorbis.so.0"
const char *const ac_vorbis_library = LIBRARY;

#define FUNCTIONS(use) \
    use(vorbis_info_init) \
    use(vorbis_info_clear) \
    use(vorbis_info_blocksize) \
    use(vorbis_comment_init) \
    use(vorbis_comment_clear) \
    use(vorbis_block_init) \
    use(vorbis_block_clear) \
    use(vorbis_dsp_clear) \
    use(vorbis_synthesis_headerin) \
    use(vorbis_synthesis_init) \
    use(vorbis_synthesis_restart) \
    use(vorbis_synthesis) \
    use(vorbis_synthesis_blockin) \
    use(vorbis_synthesis_pcmout) \
    use(vorbis_synthesis_read)

AC_LIBRARY(LIBRARY, FUNCTIONS)

const char *ac_vorbis_problem(void) { return ac_library_problem(&api_library); }

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
    api.vorbis_info_init(&decoder->info);
    api.vorbis_comment_init(&decoder->comment);
    return decoder;
}

void ac_vorbis_free(ac_vorbis *decoder) {
    if (decoder->has_block) (void)api.vorbis_block_clear(&decoder->block);
    if (decoder->has_state) api.vorbis_dsp_clear(&decoder->state);
    api.vorbis_comment_clear(&decoder->comment);
    api.vorbis_info_clear(&decoder->info);
    free(decoder);
}

/// A packet of which only the bytes and the number are known.
static ogg_packet packet_of(ac_vorbis *decoder, const void *bytes, size_t length) {
    ogg_packet packet = {.packet = (unsigned char *)bytes, .bytes = (long)length, .granulepos = -1};
    packet.b_o_s = decoder->packets == 0;
    packet.packetno = decoder->packets++;
    return packet;
}

bool ac_vorbis_take_header(ac_vorbis *decoder, const void *bytes, size_t length) {
    if (length == 0 || length > INT_MAX) return false;
    ogg_packet packet = packet_of(decoder, bytes, length);
    return api.vorbis_synthesis_headerin(&decoder->info, &decoder->comment, &packet) == 0;
}

bool ac_vorbis_start(ac_vorbis *decoder) {
    // A rate shows that the identification header was read; the library itself rejects a missing setup header.
    if (decoder->info.rate <= 0 || decoder->packets != 3) return false;
    if (api.vorbis_synthesis_init(&decoder->state, &decoder->info) != 0) return false;
    decoder->has_state = true;
    decoder->has_block = api.vorbis_block_init(&decoder->state, &decoder->block) == 0;
    return decoder->has_block;
}

void ac_vorbis_reset(ac_vorbis *decoder) { (void)api.vorbis_synthesis_restart(&decoder->state); }

int ac_vorbis_channels(const ac_vorbis *decoder) { return decoder->info.channels; }

int ac_vorbis_largest_block(ac_vorbis *decoder) { return api.vorbis_info_blocksize(&decoder->info, 1); }

int ac_vorbis_decode(
    ac_vorbis *decoder, const void *bytes, size_t length, const uint8_t *order, float *pcm, int room) {
    if (length == 0 || length > INT_MAX) return -1;
    ogg_packet packet = packet_of(decoder, bytes, length);
    if (api.vorbis_synthesis(&decoder->block, &packet) != 0) return -1;
    if (api.vorbis_synthesis_blockin(&decoder->state, &decoder->block) != 0) return -1;
    int channels = decoder->info.channels;
    int written = 0;
    float **planes = NULL;
    int count;
    while ((count = api.vorbis_synthesis_pcmout(&decoder->state, &planes)) > 0) {
        if (count > room - written) return -1;
        for (int channel = 0; channel < channels; channel++) {
            const float *plane = planes[order[channel]];
            float *place = pcm + (size_t)written * (size_t)channels + channel;
            for (int sample = 0; sample < count; sample++) place[(size_t)sample * (size_t)channels] = plane[sample];
        }
        written += count;
        (void)api.vorbis_synthesis_read(&decoder->state, count);
    }
    return written;
}
