// SPDX-License-Identifier: MIT
//
// The ciphers of OpenSSL's libcrypto behind prefixed functions, typed by its own headers. The library is opened on first
// use (dlopen(3)): a program that never uses it neither loads nor needs it. No system header is included here; see
// CLinux.h.

#ifndef CLIBCRYPTO_H
#define CLIBCRYPTO_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Opens the library at the first call. Returns NULL if it is usable, otherwise the reason (dlerror). Thread-safe.
const char *_Nullable ac_crypto_problem(void);
/// The file name of the library.
extern const char *const ac_crypto_library;

/// Decrypts AES-128 in CBC mode with PKCS#7 padding (EVP_DecryptInit_ex and its kind). `key` and `vector` have 16 bytes;
/// `length` is a multiple of 16, and `plain` has room for as many bytes. Returns the number of bytes without the
/// padding, -1 if the padding is wrong, or -2 if the library fails. Needs a usable library. Thread-safe.
long ac_crypto_decrypt(const uint8_t *key, const uint8_t *vector, const void *bytes, size_t length, void *plain);

#pragma clang assume_nonnull end

#endif
