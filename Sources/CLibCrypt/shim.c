// SPDX-License-Identifier: MIT

#include "CLibCrypt.h"

#include <crypt.h>

int ac_crypt_memory_size(void) { return (int)sizeof(struct crypt_data); }

int ac_crypt_knows(const char *hash) {
    // The library treats SHA-256 as legacy: it makes no new hashes with it, but can check existing ones.
    int verdict = crypt_checksalt(hash);
    return verdict == CRYPT_SALT_OK || verdict == CRYPT_SALT_METHOD_LEGACY;
}

const char *ac_crypt_hash(const char *password, const char *setting, void *memory) {
    return crypt_rn(password, setting, memory, (int)sizeof(struct crypt_data));
}

int ac_crypt_new_setting(const char *prefix, char *result, int size) {
    return crypt_gensalt_rn(prefix, 0, 0, 0, result, size) ? 0 : -1;
}
