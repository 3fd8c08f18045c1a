// SPDX-License-Identifier: MIT

#include "CLibFLAC.h"
