// SPDX-License-Identifier: MIT

#include "CLibMPG123.h"
