// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

/// One piece of music, as the bytes of an MP3 file with an ID3v2 tag. They live in the program's read-only data.
typedef struct ac_demo_piece {
    const unsigned char *_Nonnull bytes;
    size_t length;
} ac_demo_piece;

/// How many pieces the programme has; all of one format.
size_t ac_demo_piece_count(void);

/// Piece `index`, below the count. Any thread.
ac_demo_piece ac_demo_piece_at(size_t index);
