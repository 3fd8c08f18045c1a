// SPDX-License-Identifier: MIT

#include "CLibOpus.h"
#include "CLibrary.h"

#include <limits.h>
#include <opus/opus_multistream.h>
#include <stdlib.h>

#define LIBRARY "libopus.so.0"
const char *const ac_opus_library = LIBRARY;

#define FUNCTIONS(use) \
    use(opus_multistream_decoder_create) \
    use(opus_multistream_decoder_destroy) \
    use(opus_multistream_decoder_ctl) \
    use(opus_multistream_decode_float)

AC_LIBRARY(LIBRARY, FUNCTIONS)

const char *ac_opus_problem(void) { return ac_library_problem(&api_library); }

struct ac_opus {
    OpusMSDecoder *decoder;
};

ac_opus *ac_opus_create(int channels, int streams, int coupled, const uint8_t *mapping, int gain) {
    ac_opus *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    int error = OPUS_OK;
    decoder->decoder = api.opus_multistream_decoder_create(48000, channels, streams, coupled, mapping, &error);
    if (decoder->decoder && error == OPUS_OK &&
        (gain == 0 || api.opus_multistream_decoder_ctl(decoder->decoder, OPUS_SET_GAIN(gain)) == OPUS_OK))
        return decoder;
    ac_opus_free(decoder);
    return NULL;
}

void ac_opus_free(ac_opus *decoder) {
    if (decoder->decoder) api.opus_multistream_decoder_destroy(decoder->decoder);
    free(decoder);
}

void ac_opus_reset(ac_opus *decoder) { (void)api.opus_multistream_decoder_ctl(decoder->decoder, OPUS_RESET_STATE); }

int ac_opus_decode(ac_opus *decoder, const void *packet, size_t length, float *pcm, int room) {
    // For the library, a length of 0 means a lost packet, which it would conceal.
    if (length == 0 || length > INT_MAX) return OPUS_INVALID_PACKET;
    return api.opus_multistream_decode_float(decoder->decoder, packet, (opus_int32)length, pcm, room, 0);
}
