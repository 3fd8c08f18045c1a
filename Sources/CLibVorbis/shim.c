// SPDX-License-Identifier: MIT

#include "CLibVorbis.h"
