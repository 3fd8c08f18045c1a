// SPDX-License-Identifier: MIT

#include "CLibExpat.h"
