// SPDX-License-Identifier: MIT

#include "CLibPulse.h"
