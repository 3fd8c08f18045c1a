// SPDX-License-Identifier: MIT

// If libcurl uses OpenSSL, GnuTLS is loaded as well, for protocols that are not used here (RTMP, LDAP). It initialises
// itself when it is loaded, which costs 120 kB of memory in every process. A program that defines this function
// prevents that (GNUTLS_SKIP_GLOBAL_INIT in gnutls/gnutls.h), if it exports it (Package.swift). A libcurl that uses
// GnuTLS initialises it by itself.
__attribute__((visibility("default"))) int _gnutls_global_init_skip(void) { return 1; }
