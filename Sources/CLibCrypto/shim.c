// SPDX-License-Identifier: MIT

#include "CLibCrypto.h"
#include "CLibrary.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>

#if OPENSSL_VERSION_NUMBER >= 0x30000000L
#define LIBRARY "libcrypto.so.3"
#else
#define LIBRARY "libcrypto.so.1.1"
#endif
const char *const ac_crypto_library = LIBRARY;

#define FUNCTIONS(use) \
    use(EVP_CIPHER_CTX_new) \
    use(EVP_CIPHER_CTX_free) \
    use(EVP_aes_128_cbc) \
    use(EVP_DecryptInit_ex) \
    use(EVP_DecryptUpdate) \
    use(EVP_DecryptFinal_ex)

AC_LIBRARY(LIBRARY, FUNCTIONS)

const char *ac_crypto_problem(void) { return ac_library_problem(&api_library); }

long ac_crypto_decrypt(const uint8_t *key, const uint8_t *vector, const void *bytes, size_t length, void *plain) {
    if (length > INT_MAX) return -2;
    EVP_CIPHER_CTX *context = api.EVP_CIPHER_CTX_new();
    if (context == NULL) return -2;
    // The library holds the last block back until the end, so `plain` needs no more room than `bytes`.
    int count = 0, rest = 0;
    long result = -2;
    if (api.EVP_DecryptInit_ex(context, api.EVP_aes_128_cbc(), NULL, key, vector) == 1 &&
        api.EVP_DecryptUpdate(context, plain, &count, bytes, (int)length) == 1)
        result = api.EVP_DecryptFinal_ex(context, (unsigned char *)plain + count, &rest) == 1 ? count + rest : -1;
    api.EVP_CIPHER_CTX_free(context);
    return result;
}
