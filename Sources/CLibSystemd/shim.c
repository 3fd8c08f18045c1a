// SPDX-License-Identifier: MIT

#include "CLibSystemd.h"
