// SPDX-License-Identifier: MIT

#include "CLibOpus.h"
