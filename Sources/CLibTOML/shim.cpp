// SPDX-License-Identifier: MIT

#include "CLibTOML.h"
