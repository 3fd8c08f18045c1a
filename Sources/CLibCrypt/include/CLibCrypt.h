// SPDX-License-Identifier: MIT
//
// Password hashes of libcrypt (crypt(3), crypt(5)) behind prefixed functions. Thread-safe: each call works in the
// memory that it is given. No system header is included here; see CLinux.h.

#ifndef CLIBCRYPT_H
#define CLIBCRYPT_H

#pragma clang assume_nonnull begin

/// Bytes of working memory that a call needs (sizeof(struct crypt_data)).
int ac_crypt_memory_size(void);

/// 1 where the library can check passwords against this hash (crypt_checksalt(3)), and 0 otherwise.
int ac_crypt_knows(const char *hash);

/// The hash of a password in the way of `setting`, which is another hash or comes from ac_crypt_new_setting (crypt_rn).
/// It lies in `memory`, which must begin as zeroes; NULL with errno where it cannot be had.
const char *_Nullable ac_crypt_hash(const char *password, const char *setting, void *memory);

/// A method and a salt for a new password (crypt_gensalt_rn): the method of that prefix, with the library's own choice
/// of cost and random bytes. 0, or -1 with errno.
int ac_crypt_new_setting(const char *prefix, char *result, int size);

#pragma clang assume_nonnull end

#endif
