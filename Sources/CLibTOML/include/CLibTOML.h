// SPDX-License-Identifier: MIT
//
// toml++ behind prefixed functions. No system header is included here; see CLinux.h.

#ifndef CLIBTOML_H
#define CLIBTOML_H

#endif
