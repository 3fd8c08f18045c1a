// SPDX-License-Identifier: MIT

// libcurl's multi socket interface behind opaque types and prefixed functions.
//
// No header of libcurl is included here, and none that reaches <sys/select.h>: the module stays free of system types,
// which would clash with Swift's own Glibc module in the first debug build of a fresh clone. Variadic functions
// (curl_easy_setopt and the like) have typed shims, because Swift does not import them.
//
// A multi and its transfers belong to one thread at a time.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A CURLM.
typedef struct ac_curl_multi ac_curl_multi;
/// A CURL handle, with the data that must live as long as the handle: its callbacks, header lists and error text.
typedef struct ac_curl ac_curl;

// MARK: Library

/// Prepares the library (curl_global_init). Once per process, before anything else. Returns 0 or a CURLcode.
int ac_curl_global_init(void);
/// The version of the library at run time, as 0xMMmmpp (curl_version_info).
uint32_t ac_curl_library_version(void);
/// Writes the host of a URL, as curl parses it (an IPv6 address stays in brackets, an internationalized name becomes
/// ASCII), into `host` as a C string. `host` has room for `room` bytes. Returns false if the URL has no host or the
/// host does not fit (curl_url).
bool ac_curl_host(const char *url, char *host, size_t room);
/// The text of a result (curl_easy_strerror).
const char *ac_curl_describe(int result);
/// The text of a result of the multi (curl_multi_strerror).
const char *ac_curl_multi_describe(int result);

// MARK: Multi

/// The events that curl wants to have watched on a descriptor.
enum { AC_CURL_WATCH_NONE = 0, AC_CURL_WATCH_READ = 1, AC_CURL_WATCH_WRITE = 2, AC_CURL_WATCH_REMOVE = 4 };
/// The events that a descriptor is ready for.
enum { AC_CURL_READY_READ = 1, AC_CURL_READY_WRITE = 2 };

/// A multi's requests to its owner. The hooks must not call back into the multi.
typedef struct ac_curl_multi_hooks {
    void *context;
    /// Watch a descriptor for these AC_CURL_WATCH bits, or stop watching it.
    void (*watch)(void *context, int descriptor, int what);
    /// Call ac_curl_multi_timeout after this many milliseconds; -1 cancels the pending call.
    void (*set_timer)(void *context, long milliseconds);
} ac_curl_multi_hooks;

/// Creates a multi and copies the hooks; NULL without memory or descriptors (curl_multi_init).
ac_curl_multi *_Nullable ac_curl_multi_create(const ac_curl_multi_hooks *hooks);
/// Frees a multi without transfers (curl_multi_cleanup). Calls the hooks for the connections that it closes.
void ac_curl_multi_free(ac_curl_multi *multi);

// Each function of this group returns 0 or a CURLMcode.
int ac_curl_multi_add(ac_curl_multi *multi, ac_curl *transfer);
int ac_curl_multi_remove(ac_curl_multi *multi, ac_curl *transfer);
/// Handles a ready descriptor; returns the number of running transfers in `running` (curl_multi_socket_action).
int ac_curl_multi_socket(ac_curl_multi *multi, int descriptor, int ready, int *running);
/// Handles the expired timer; returns the number of running transfers in `running` (curl_multi_socket_action).
int ac_curl_multi_timeout(ac_curl_multi *multi, int *running);

/// The next ended transfer: the context of its hooks, and its CURLcode in `result`. NULL if there is none
/// (curl_multi_info_read).
void *_Nullable ac_curl_multi_next_ended(ac_curl_multi *multi, int *result);

// MARK: Transfer

/// The result of the body hook.
enum ac_curl_verdict { AC_CURL_GO_ON = 0, AC_CURL_PAUSE = 1, AC_CURL_ABORT = 2 };

/// A transfer's calls to its owner. If a hook returns false or AC_CURL_ABORT, the transfer ends with an error.
typedef struct ac_curl_hooks {
    void *context;
    /// Called before curl connects to this address (a struct sockaddr). Returns a socket for it, or -1 to refuse the
    /// address.
    int (*open_socket)(void *context, int family, int type, int protocol, const void *address, size_t length);
    /// Called to close a socket created by `open_socket`; the hook must close it itself. It has its own context,
    /// because a connection may outlive its transfer.
    int (*close_socket)(void *socket_owner, int descriptor);
    void *socket_owner;
    /// Called after curl has connected, and before it negotiates TLS.
    bool (*securing)(void *context);
    /// Called before the request is sent to this peer (a numeric address).
    bool (*sending)(void *context, const char *peer);
    /// Called with a line of a response head or trailer, including its line end.
    bool (*header)(void *context, const char *bytes, size_t count);
    /// Called with bytes of the body.
    enum ac_curl_verdict (*body)(void *context, const char *bytes, size_t count);
    /// Called for the bytes of the request's body from `offset` on, `room` at most. Returns their count (not 0), or -1
    /// to end the transfer.
    long (*outgoing)(void *context, int64_t offset, char *bytes, size_t room);
} ac_curl_hooks;

/// Creates a transfer and copies the hooks; NULL without memory (curl_easy_init).
ac_curl *_Nullable ac_curl_create(const ac_curl_hooks *hooks);
/// Frees a transfer that is not in a multi (curl_easy_cleanup).
void ac_curl_free(ac_curl *transfer);

// Options; each returns 0 or a CURLcode. Strings are copied.

/// Sets the options that all transfers share: HTTP/1.1 over a connection of its own; `http` and `https` only; TLS 1.2 or
/// later, with the certificate verified; the ICY status lines; cookies, kept in the transfer only. These are switched
/// off: proxies, compression, .netrc, HSTS, Alt-Svc, signals, and the timeout of the whole transfer.
int ac_curl_set_defaults(ac_curl *transfer);
int ac_curl_set_url(ac_curl *transfer, const char *url);
int ac_curl_set_user_agent(ac_curl *transfer, const char *name);
/// Adds a header line, given without its line end. A private line can be removed with ac_curl_drop_private_headers.
int ac_curl_add_header(ac_curl *transfer, const char *line, bool is_private);
/// Removes the private header lines from all further requests. The `sending` hook may call this, because curl reads the
/// list only after that hook has returned.
int ac_curl_drop_private_headers(ac_curl *transfer);
/// Adds a line `HOST:PORT:ADDRESS:PORT`: connections to this host go to that address, without a lookup. An empty first
/// port matches any port; an empty second port keeps the port of the request (CURLOPT_CONNECT_TO).
int ac_curl_connect_to(ac_curl *transfer, const char *line);
/// Adds a line `HOST:PORT:ADDRESS[,ADDRESS]…`, which replaces the lookup of this name (CURLOPT_RESOLVE).
int ac_curl_fix_addresses(ac_curl *transfer, const char *line);
/// Makes the transfer a POST or a PUT of this many bytes, which the hook `outgoing` supplies, also when a redirect has
/// them sent again. They are sent at once, without asking the server first (`Expect: 100-continue`).
int ac_curl_set_body(ac_curl *transfer, bool is_put, int64_t count);
/// The maximum number of redirects to follow; a negative number delivers the first redirect instead of following it.
int ac_curl_set_max_redirects(ac_curl *transfer, long count);
/// Limits the time for each hop's lookup, connection and TLS negotiation together.
int ac_curl_set_connect_timeout(ac_curl *transfer, long milliseconds);
/// Asks for a body in one of these codings, and decodes one that has any (CURLOPT_ACCEPT_ENCODING).
int ac_curl_set_decoding(ac_curl *transfer, const char *codings);
/// Lets the transfer take a connection that has been unused for this many seconds at most, or none if it is negative,
/// and leave its own for others (CURLOPT_FORBID_REUSE, CURLOPT_MAXAGE_CONN).
int ac_curl_keep_connection(ac_curl *transfer, long seconds);
int ac_curl_set_receive_buffer(ac_curl *transfer, long bytes);
int ac_curl_set_ca_file(ac_curl *transfer, const char *path);
/// Sends everything through a proxy, whatever the environment says (CURLOPT_PROXY, CURLOPT_NOPROXY). The head of the
/// proxy's answer to CONNECT is not passed to the hooks.
int ac_curl_set_proxy(ac_curl *transfer, const char *url);
/// Makes curl send a text and pass everything that the server answers to the `body` hook, without interpreting it. The
/// URL is a `gopher` or `gophers` URL that contains the text: Gopher is curl's only protocol of this form, over TCP and
/// over TLS. Fails if this libcurl has no Gopher (CURLOPT_PROTOCOLS_STR).
int ac_curl_set_plain(ac_curl *transfer, const char *url);
/// Adds a cookie, as a line of ac_curl_each_cookie (CURLOPT_COOKIELIST).
int ac_curl_add_cookie(ac_curl *transfer, const char *line);
typedef void (*ac_curl_cookie_hook)(void *context, const char *line);
/// Calls the hook for each cookie that the transfer holds, as a line of Netscape's format (CURLINFO_COOKIELIST).
void ac_curl_each_cookie(ac_curl *transfer, ac_curl_cookie_hook hook, void *context);
/// Connects to this Unix socket instead of the URL's host, on every hop (CURLOPT_UNIX_SOCKET_PATH).
int ac_curl_set_unix_socket(ac_curl *transfer, const char *path);
/// Takes user names and passwords of hosts from a file. A user name and password in the URL take precedence
/// (CURLOPT_NETRC_FILE).
int ac_curl_set_netrc(ac_curl *transfer, const char *path);

/// Pauses or resumes receiving (curl_easy_pause). Resuming may call the hooks at once.
int ac_curl_set_paused(ac_curl *transfer, bool paused);

/// Makes curl check a transfer during the next ac_curl_multi_timeout, and request that call at once. The transfer must
/// not be paused.
void ac_curl_nudge(ac_curl *transfer);

/// The final URL after redirects, with credentials; valid until the transfer is freed (CURLINFO_EFFECTIVE_URL).
const char *ac_curl_effective_url(ac_curl *transfer);
/// Whether two URLs have the same scheme, host and port, as curl parses them (curl_url_get).
bool ac_curl_is_same_origin(const char *url, const char *other);
/// The number of redirects followed (CURLINFO_REDIRECT_COUNT).
long ac_curl_redirect_count(ac_curl *transfer);
/// The errno of the last failed connect (CURLINFO_OS_ERRNO).
long ac_curl_os_error(ac_curl *transfer);
/// OpenSSL's verdict on the certificate, 0 if it is valid (CURLINFO_SSL_VERIFYRESULT).
long ac_curl_verify_result(ac_curl *transfer);
/// The status of the proxy's answer to CONNECT; 0 if the proxy did not answer (CURLINFO_HTTP_CONNECTCODE).
long ac_curl_connect_status(ac_curl *transfer);
/// Whether a SOCKS proxy requires a user name and password, or rejected the ones it was given (CURLINFO_PROXY_ERROR).
bool ac_curl_is_refused_by_proxy(ac_curl *transfer);
/// OpenSSL's verdict on the certificate of an `https` proxy, 0 if it is valid (CURLINFO_PROXY_SSL_VERIFYRESULT).
long ac_curl_proxy_verify_result(ac_curl *transfer);
/// curl's error message, or an empty string (CURLOPT_ERRORBUFFER).
const char *ac_curl_error_text(ac_curl *transfer);

#pragma clang assume_nonnull end
