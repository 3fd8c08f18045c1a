// SPDX-License-Identifier: MIT
//
// Password hashes of libcrypt (crypt(3), crypt(5)) behind prefixed functions. Thread-safe: each call works in memory
// supplied by its caller. No system header is included here; see CLinux.h.

#ifndef CLIBCRYPT_H
#define CLIBCRYPT_H

#pragma clang assume_nonnull begin

/// The size in bytes of the working memory for a call (sizeof(struct crypt_data)).
int ac_crypt_memory_size(void);

/// 1 if the library can check passwords against this hash (crypt_checksalt(3)), otherwise 0.
int ac_crypt_knows(const char *hash);

/// Hashes a password according to `setting`, which is another hash or the result of ac_crypt_new_setting (crypt_rn).
/// `memory` must be zeroed before the call. The result lies in it; NULL with errno on failure.
const char *_Nullable ac_crypt_hash(const char *password, const char *setting, void *memory);

/// Creates a setting for the hash of a new password (crypt_gensalt_rn): the hash method that `prefix` names, the
/// library's default cost, and a random salt. Returns 0, or -1 with errno.
int ac_crypt_new_setting(const char *prefix, char *result, int size);

#pragma clang assume_nonnull end

#endif
