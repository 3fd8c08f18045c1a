// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

/// A piece of music: the bytes of an MP3 file with an ID3v2 tag, in the program's read-only data.
typedef struct ac_demo_piece {
    const unsigned char *_Nonnull bytes;
    size_t length;
} ac_demo_piece;

/// The number of pieces in the programme, all of the same format.
size_t ac_demo_piece_count(void);

/// The piece `index`, which must be less than the count. Any thread.
ac_demo_piece ac_demo_piece_at(size_t index);
