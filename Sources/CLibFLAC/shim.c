// SPDX-License-Identifier: MIT

#include "CLibFLAC.h"
#include "CLibrary.h"

#include <FLAC/stream_decoder.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

// The library's ABI changes with this number.
#define LIBRARY "libFLAC.so." TEXT(FLAC_API_VERSION_CURRENT)
const char *const ac_flac_library = LIBRARY;

#define FUNCTIONS(use) \
    use(FLAC__stream_decoder_new) \
    use(FLAC__stream_decoder_delete) \
    use(FLAC__stream_decoder_init_stream) \
    use(FLAC__stream_decoder_flush) \
    use(FLAC__stream_decoder_process_single) \
    use(FLAC__stream_decoder_process_until_end_of_metadata)

AC_LIBRARY(LIBRARY, FUNCTIONS)

const char *ac_flac_problem(void) { return ac_library_problem(&api_library); }

struct ac_flac {
    FLAC__StreamDecoder *decoder;
    /// The next input for the library.
    const uint8_t *input;
    size_t left;
    /// The destination of the output, during a call.
    float *pcm;
    int room;
    int channels;
    int written;
    bool is_damaged;
};

static FLAC__StreamDecoderReadStatus read_input(
    const FLAC__StreamDecoder *library, FLAC__byte buffer[], size_t *bytes, void *context) {
    (void)library;
    ac_flac *decoder = context;
    if (*bytes > decoder->left) *bytes = decoder->left;
    if (*bytes == 0) return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
    memcpy(buffer, decoder->input, *bytes);
    decoder->input += *bytes;
    decoder->left -= *bytes;
    return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE;
}

static FLAC__StreamDecoderWriteStatus write_output(const FLAC__StreamDecoder *library, const FLAC__Frame *frame,
                                                   const FLAC__int32 *const planes[], void *context) {
    (void)library;
    ac_flac *decoder = context;
    int count = (int)frame->header.blocksize;
    int channels = (int)frame->header.channels;
    unsigned bits = frame->header.bits_per_sample;
    if (decoder->pcm == NULL || channels != decoder->channels || count > decoder->room || bits < 4 ||
        bits > 32) {
        decoder->is_damaged = true;
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
    }
    const float scale = 1.0f / (float)(1LL << (bits - 1));
    for (int channel = 0; channel < channels; channel++) {
        const FLAC__int32 *plane = planes[channel];
        float *place = decoder->pcm + channel;
        for (int sample = 0; sample < count; sample++) {
            place[(size_t)sample * (size_t)channels] = (float)plane[sample] * scale;
        }
    }
    // If frames are missing, the library first writes silence for them, so its last output is the frame itself.
    decoder->written = count;
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

static void note_error(
    const FLAC__StreamDecoder *library, FLAC__StreamDecoderErrorStatus status, void *context) {
    (void)library;
    // A lost sync does not mean that this frame is damaged: a byte of an earlier damaged frame may survive a flush, and
    // the library then skips that byte before the next frame.
    if (status != FLAC__STREAM_DECODER_ERROR_STATUS_LOST_SYNC) ((ac_flac *)context)->is_damaged = true;
}

ac_flac *ac_flac_create(const uint8_t *stream_info) {
    ac_flac *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    // The stream marker, and the header of its last and only block.
    uint8_t head[8 + AC_FLAC_STREAM_INFO] = {'f', 'L', 'a', 'C', 0x80, 0, 0, AC_FLAC_STREAM_INFO};
    memcpy(head + 8, stream_info, AC_FLAC_STREAM_INFO);
    decoder->input = head;
    decoder->left = sizeof head;
    decoder->decoder = api.FLAC__stream_decoder_new();
    bool has_started = decoder->decoder &&
                       api.FLAC__stream_decoder_init_stream(decoder->decoder, read_input, NULL, NULL, NULL, NULL, write_output, NULL,
                                       note_error, decoder) == FLAC__STREAM_DECODER_INIT_STATUS_OK &&
                       api.FLAC__stream_decoder_process_until_end_of_metadata(decoder->decoder) && !decoder->is_damaged &&
                       decoder->left == 0 && api.FLAC__stream_decoder_flush(decoder->decoder);
    decoder->input = NULL;
    decoder->left = 0;
    if (has_started) return decoder;
    ac_flac_free(decoder);
    return NULL;
}

void ac_flac_free(ac_flac *decoder) {
    if (decoder->decoder) api.FLAC__stream_decoder_delete(decoder->decoder);
    free(decoder);
}

int ac_flac_decode(ac_flac *decoder, const void *frame, size_t length, int channels, float *pcm, int room) {
    decoder->input = frame;
    decoder->left = length;
    decoder->pcm = pcm;
    decoder->room = room;
    decoder->channels = channels;
    decoder->written = 0;
    decoder->is_damaged = false;
    // One frame in, one frame out: a frame that does not come out whole now will not do so later.
    bool goes_on = api.FLAC__stream_decoder_process_single(decoder->decoder);
    bool is_whole = goes_on && !decoder->is_damaged && decoder->written > 0 && decoder->left == 0;
    decoder->input = NULL;
    decoder->left = 0;
    decoder->pcm = NULL;
    if (!is_whole) {
        (void)api.FLAC__stream_decoder_flush(decoder->decoder);
        return -1;
    }
    return decoder->written;
}
