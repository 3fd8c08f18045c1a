// SPDX-License-Identifier: MIT

// Where libcurl itself uses OpenSSL, GnuTLS comes along for protocols that are not used here (RTMP, LDAP), and prepares
// itself when it is loaded: 120 kB of memory in every process. A program that defines this function skips that
// (GNUTLS_SKIP_GLOBAL_INIT in gnutls/gnutls.h). A libcurl that uses GnuTLS prepares it by itself.
__attribute__((visibility("default"))) int _gnutls_global_init_skip(void) { return 1; }
