// SPDX-License-Identifier: MIT

#include "CLinux.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

static const iconv_t none = (iconv_t)-1;

int ac_knows_charset(const char *charset) {
    iconv_t conversion = iconv_open("UTF-8", charset);
    if (conversion == none) return 0;
    iconv_close(conversion);
    return 1;
}

long ac_convert_text(
    const char *charset, const unsigned char *bytes, unsigned long count, unsigned char *out, unsigned long room) {
    iconv_t conversion = iconv_open("UTF-8", charset);
    if (conversion == none) return -1;
    char *from = (char *)bytes, *to = (char *)out;
    size_t left = count, rest = room;
    while (iconv(conversion, &from, &left, &to, &rest) == (size_t)-1) {
        // EINVAL is a character that is cut off at the end; E2BIG cannot happen with the room that callers give.
        if (errno != EILSEQ || left == 0 || rest < 3) break;
        memcpy(to, "\xEF\xBF\xBD", 3);
        to += 3, rest -= 3;
        from += 1, left -= 1;
    }
    // Writes a character that waits for a combining mark.
    iconv(conversion, NULL, NULL, &to, &rest);
    iconv_close(conversion);
    return to - (char *)out;
}
