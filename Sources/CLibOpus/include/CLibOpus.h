// SPDX-License-Identifier: MIT
//
// libopus behind prefixed functions, typed by its own headers. The library is opened (dlopen(3)) when it is first needed:
// a program that never asks for it neither loads nor needs it. No system header is included here; see CLinux.h.

#ifndef CLIBOPUS_H
#define CLIBOPUS_H

#pragma clang assume_nonnull begin

#pragma clang assume_nonnull end

#endif
