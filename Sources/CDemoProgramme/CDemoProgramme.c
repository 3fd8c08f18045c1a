// SPDX-License-Identifier: MIT

#include "CDemoProgramme.h"

// #embed is C23; clang accepts it in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char sign_on[] = {
#embed "music/01-sign-on.mp3"
};

static const unsigned char first_light[] = {
#embed "music/02-first-light.mp3"
};

static const unsigned char waltz[] = {
#embed "music/03-waltz.mp3"
};

static const unsigned char last_bus_home[] = {
#embed "music/04-last-bus-home.mp3"
};

static const ac_demo_piece pieces[] = {
    {sign_on, sizeof sign_on},
    {first_light, sizeof first_light},
    {waltz, sizeof waltz},
    {last_bus_home, sizeof last_bus_home},
};

size_t ac_demo_piece_count(void) {
    return sizeof pieces / sizeof *pieces;
}

ac_demo_piece ac_demo_piece_at(size_t index) {
    return pieces[index];
}
