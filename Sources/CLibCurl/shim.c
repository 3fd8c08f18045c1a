// SPDX-License-Identifier: MIT

#include "CLibCurl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87 or later is needed (CURLOPT_QUICK_EXIT)"
#endif

_Static_assert(AC_CURL_WATCH_NONE == CURL_POLL_NONE && AC_CURL_WATCH_READ == CURL_POLL_IN &&
                   AC_CURL_WATCH_WRITE == CURL_POLL_OUT && AC_CURL_WATCH_REMOVE == CURL_POLL_REMOVE &&
                   (AC_CURL_WATCH_READ | AC_CURL_WATCH_WRITE) == CURL_POLL_INOUT,
               "the bits are libcurl's");
_Static_assert(AC_CURL_READY_READ == CURL_CSELECT_IN && AC_CURL_READY_WRITE == CURL_CSELECT_OUT,
               "the bits are libcurl's");

/// The number of connections beyond which the one that has been unused for the longest time is closed. curl counts
/// connections in use, too.
#define MOST_KEPT 256L

struct ac_curl_multi {
    CURLM *handle;
    ac_curl_multi_hooks hooks;
};

struct ac_curl {
    CURL *handle;
    /// All header lines, and the header lines that may be sent to any server.
    struct curl_slist *headers;
    struct curl_slist *public_headers;
    struct curl_slist *routes;
    struct curl_slist *addresses;
    ac_curl_hooks hooks;
    /// The place of the next byte of the request's body.
    int64_t outgoing;
    char error[CURL_ERROR_SIZE];
};

/// The ICY status lines that curl accepts as HTTP. Curl keeps a pointer to the list, so it is static.
///
/// Curl compares only the beginning of a status line with these aliases, and reports the status 200 for every match;
/// the actual status is taken from the line by the head's parser. "ICY 200" is the only alias for a success. With the
/// aliases for refusals, the server's own words are available instead of "HTTP/0.9".
static struct curl_slist icy_server_error = {(char *)"ICY 5", NULL};
static struct curl_slist icy_client_error = {(char *)"ICY 4", &icy_server_error};
static struct curl_slist icy_ok = {(char *)"ICY 200", &icy_client_error};

// MARK: Library

int ac_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

uint32_t ac_curl_library_version(void) { return curl_version_info(CURLVERSION_NOW)->version_num; }

/// Asks for the ASCII form of an internationalized host name, if this libcurl can give it (7.88).
#ifdef CURLU_PUNYCODE
#define AC_CURL_ASCII_HOST CURLU_PUNYCODE
#else
#define AC_CURL_ASCII_HOST 0
#endif

bool ac_curl_host(const char *url, char *host, size_t room) {
    bool is_there = false;
    char *found = NULL;
    CURLU *parts = curl_url();
    if (parts && curl_url_set(parts, CURLUPART_URL, url, CURLU_DEFAULT_SCHEME) == CURLUE_OK &&
        curl_url_get(parts, CURLUPART_HOST, &found, AC_CURL_ASCII_HOST) == CURLUE_OK && strlen(found) < room) {
        strcpy(host, found);
        is_there = true;
    }
    curl_free(found);
    curl_url_cleanup(parts);
    return is_there;
}

const char *ac_curl_describe(int result) { return curl_easy_strerror((CURLcode)result); }

const char *ac_curl_multi_describe(int result) { return curl_multi_strerror((CURLMcode)result); }

// MARK: Multi

static int watch(CURL *easy, curl_socket_t descriptor, int what, void *context, void *socket_context) {
    (void)easy, (void)socket_context;
    ac_curl_multi *multi = context;
    multi->hooks.watch(multi->hooks.context, descriptor, what);
    return 0;
}

static int set_timer(CURLM *handle, long milliseconds, void *context) {
    (void)handle;
    ac_curl_multi *multi = context;
    multi->hooks.set_timer(multi->hooks.context, milliseconds);
    return 0;
}

ac_curl_multi *ac_curl_multi_create(const ac_curl_multi_hooks *hooks) {
    ac_curl_multi *multi = calloc(1, sizeof *multi);
    if (!multi) {
        return NULL;
    }
    multi->handle = curl_multi_init();
    if (!multi->handle) {
        free(multi);
        return NULL;
    }
    multi->hooks = *hooks;
    curl_multi_setopt(multi->handle, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(multi->handle, CURLMOPT_SOCKETDATA, multi);
    curl_multi_setopt(multi->handle, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(multi->handle, CURLMOPT_TIMERDATA, multi);
    curl_multi_setopt(multi->handle, CURLMOPT_MAXCONNECTS, MOST_KEPT);
    return multi;
}

void ac_curl_multi_free(ac_curl_multi *multi) {
    curl_multi_cleanup(multi->handle);
    free(multi);
}

int ac_curl_multi_add(ac_curl_multi *multi, ac_curl *transfer) {
    return curl_multi_add_handle(multi->handle, transfer->handle);
}

int ac_curl_multi_remove(ac_curl_multi *multi, ac_curl *transfer) {
    return curl_multi_remove_handle(multi->handle, transfer->handle);
}

int ac_curl_multi_socket(ac_curl_multi *multi, int descriptor, int ready, int *running) {
    return curl_multi_socket_action(multi->handle, descriptor, ready, running);
}

int ac_curl_multi_timeout(ac_curl_multi *multi, int *running) {
    return curl_multi_socket_action(multi->handle, CURL_SOCKET_TIMEOUT, 0, running);
}

void *ac_curl_multi_next_ended(ac_curl_multi *multi, int *result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi->handle, &left))) {
        char *context = NULL;
        if (message->msg == CURLMSG_DONE &&
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context) == CURLE_OK && context) {
            *result = message->data.result;
            return ((ac_curl *)(void *)context)->hooks.context;
        }
    }
    return NULL;
}

// MARK: Hooks

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    ac_curl *transfer = context;
    return transfer->hooks.open_socket(transfer->hooks.context, address->family, address->socktype,
                                       address->protocol, &address->addr, address->addrlen);
}

static CURLcode securing(CURL *handle, void *tls_context, void *context) {
    (void)handle, (void)tls_context;
    ac_curl *transfer = context;
    return transfer->hooks.securing(transfer->hooks.context) ? CURLE_OK : CURLE_ABORTED_BY_CALLBACK;
}

static int sending(void *context, char *peer, char *own, int peer_port, int own_port) {
    (void)own, (void)peer_port, (void)own_port;
    ac_curl *transfer = context;
    return transfer->hooks.sending(transfer->hooks.context, peer) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

static size_t header(char *bytes, size_t size, size_t count, void *context) {
    ac_curl *transfer = context;
    return transfer->hooks.header(transfer->hooks.context, bytes, size * count) ? size * count : 0;
}

static size_t body(char *bytes, size_t size, size_t count, void *context) {
    ac_curl *transfer = context;
    switch (transfer->hooks.body(transfer->hooks.context, bytes, size * count)) {
    case AC_CURL_GO_ON:
        return size * count;
    case AC_CURL_PAUSE:
        return CURL_WRITEFUNC_PAUSE;
    case AC_CURL_ABORT:
        break;
    }
    // CURL_WRITEFUNC_ERROR needs libcurl 7.88. Returning any wrong count has the same effect, even for an empty body.
    return size * count + 1;
}

static size_t outgoing(char *bytes, size_t size, size_t room, void *context) {
    ac_curl *transfer = context;
    long count = transfer->hooks.outgoing(transfer->hooks.context, transfer->outgoing, bytes, size * room);
    if (count < 0) {
        return CURL_READFUNC_ABORT;
    }
    transfer->outgoing += count;
    return (size_t)count;
}

/// Curl's only origin is the beginning.
static int seek_outgoing(void *context, curl_off_t offset, int origin) {
    (void)origin;
    ((ac_curl *)context)->outgoing = offset;
    return CURL_SEEKFUNC_OK;
}

// MARK: Transfer

ac_curl *ac_curl_create(const ac_curl_hooks *hooks) {
    ac_curl *transfer = calloc(1, sizeof *transfer);
    if (!transfer) {
        return NULL;
    }
    transfer->handle = curl_easy_init();
    if (!transfer->handle) {
        free(transfer);
        return NULL;
    }
    transfer->hooks = *hooks;
    return transfer;
}

void ac_curl_free(ac_curl *transfer) {
    curl_easy_cleanup(transfer->handle);
    curl_slist_free_all(transfer->headers);
    curl_slist_free_all(transfer->public_headers);
    curl_slist_free_all(transfer->routes);
    curl_slist_free_all(transfer->addresses);
    free(transfer);
}

/// Sets an option unless an earlier one failed.
#define SET(option, value)                                                                                            \
    do {                                                                                                              \
        if (result == CURLE_OK) {                                                                                     \
            result = curl_easy_setopt(transfer->handle, option, value);                                               \
        }                                                                                                             \
    } while (0)

int ac_curl_set_defaults(ac_curl *transfer) {
    CURLcode result = CURLE_OK;
    SET(CURLOPT_PRIVATE, transfer);
    SET(CURLOPT_ERRORBUFFER, transfer->error);
    SET(CURLOPT_NOPROGRESS, 1L);

    SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    SET(CURLOPT_OPENSOCKETDATA, transfer);
    SET(CURLOPT_CLOSESOCKETFUNCTION, transfer->hooks.close_socket);
    SET(CURLOPT_CLOSESOCKETDATA, transfer->hooks.socket_owner);
    SET(CURLOPT_SSL_CTX_FUNCTION, securing);
    SET(CURLOPT_SSL_CTX_DATA, transfer);
    SET(CURLOPT_PREREQFUNCTION, sending);
    SET(CURLOPT_PREREQDATA, transfer);
    SET(CURLOPT_HEADERFUNCTION, header);
    SET(CURLOPT_HEADERDATA, transfer);
    SET(CURLOPT_WRITEFUNCTION, body);
    SET(CURLOPT_WRITEDATA, transfer);

    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_DEFAULT_PROTOCOL, "http");
    SET(CURLOPT_FOLLOWLOCATION, 1L);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_HTTP09_ALLOWED, 0L);
    SET(CURLOPT_HTTP200ALIASES, &icy_ok);
    // NULL sends no Accept-Encoding at all, "" would request every coding.
    SET(CURLOPT_ACCEPT_ENCODING, NULL);
    // A proxy from the environment would get the credentials, and would defeat the check of addresses. A proxy that the
    // user names for Aircheck is set later.
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    // The engine for cookies, without a file: a redirect may depend on the cookie that came with it.
    SET(CURLOPT_COOKIEFILE, "");

    // Each connection belongs to one attempt: its sockets are closed before the transfer is freed.
    SET(CURLOPT_FRESH_CONNECT, 1L);
    SET(CURLOPT_FORBID_REUSE, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_NOSIGNAL, 1L);
    // Without this, a transfer cancelled during a lookup blocks the loop until the resolver's thread ends.
    SET(CURLOPT_QUICK_EXIT, 1L);
    // This is long enough for parallel attempts to use the same addresses. curl does not know how long an answer is
    // valid, but the machine's resolver does.
    SET(CURLOPT_DNS_CACHE_TIMEOUT, 10L);
    SET(CURLOPT_TIMEOUT_MS, 0L);
    SET(CURLOPT_LOW_SPEED_TIME, 0L);

    SET(CURLOPT_SSL_VERIFYPEER, 1L);
    SET(CURLOPT_SSL_VERIFYHOST, 2L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    return result;
}

int ac_curl_set_url(ac_curl *transfer, const char *url) {
    return curl_easy_setopt(transfer->handle, CURLOPT_URL, url);
}

int ac_curl_set_user_agent(ac_curl *transfer, const char *name) {
    return curl_easy_setopt(transfer->handle, CURLOPT_USERAGENT, name);
}

static int add_line(ac_curl *transfer, struct curl_slist **list, CURLoption option, const char *line) {
    struct curl_slist *longer = curl_slist_append(*list, line);
    if (!longer) {
        return CURLE_OUT_OF_MEMORY;
    }
    *list = longer;
    return curl_easy_setopt(transfer->handle, option, longer);
}

int ac_curl_add_header(ac_curl *transfer, const char *line, bool is_private) {
    int result = CURLE_OK;
    if (!is_private) {
        result = add_line(transfer, &transfer->public_headers, CURLOPT_HTTPHEADER, line);
    }
    return result == CURLE_OK ? add_line(transfer, &transfer->headers, CURLOPT_HTTPHEADER, line) : result;
}

int ac_curl_connect_to(ac_curl *transfer, const char *line) {
    return add_line(transfer, &transfer->routes, CURLOPT_CONNECT_TO, line);
}

int ac_curl_fix_addresses(ac_curl *transfer, const char *line) {
    return add_line(transfer, &transfer->addresses, CURLOPT_RESOLVE, line);
}

int ac_curl_drop_private_headers(ac_curl *transfer) {
    return curl_easy_setopt(transfer->handle, CURLOPT_HTTPHEADER, transfer->public_headers);
}

int ac_curl_set_body(ac_curl *transfer, bool is_put, int64_t count) {
    CURLcode result = CURLE_OK;
    SET(is_put ? CURLOPT_UPLOAD : CURLOPT_POST, 1L);
    SET(is_put ? CURLOPT_INFILESIZE_LARGE : CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    SET(CURLOPT_READFUNCTION, outgoing);
    SET(CURLOPT_READDATA, transfer);
    SET(CURLOPT_SEEKFUNCTION, seek_outgoing);
    SET(CURLOPT_SEEKDATA, transfer);
    return result == CURLE_OK ? ac_curl_add_header(transfer, "Expect:", false) : result;
}

int ac_curl_set_max_redirects(ac_curl *transfer, long count) {
    CURLcode result = curl_easy_setopt(transfer->handle, CURLOPT_FOLLOWLOCATION, count < 0 ? 0L : 1L);
    return result == CURLE_OK ? curl_easy_setopt(transfer->handle, CURLOPT_MAXREDIRS, count < 0 ? 0L : count) : result;
}

int ac_curl_set_connect_timeout(ac_curl *transfer, long milliseconds) {
    return curl_easy_setopt(transfer->handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds);
}

int ac_curl_set_decoding(ac_curl *transfer, const char *codings) {
    return curl_easy_setopt(transfer->handle, CURLOPT_ACCEPT_ENCODING, codings);
}

int ac_curl_keep_connection(ac_curl *transfer, long seconds) {
    CURLcode result = CURLE_OK;
    SET(CURLOPT_FRESH_CONNECT, seconds < 0 ? 1L : 0L);
    SET(CURLOPT_FORBID_REUSE, 0L);
    SET(CURLOPT_MAXAGE_CONN, seconds < 0 ? 1L : seconds);
    return result;
}

int ac_curl_set_receive_buffer(ac_curl *transfer, long bytes) {
    return curl_easy_setopt(transfer->handle, CURLOPT_BUFFERSIZE, bytes);
}

int ac_curl_set_plain(ac_curl *transfer, const char *url) {
    CURLcode result = CURLE_OK;
    SET(CURLOPT_PROTOCOLS_STR, "gopher,gophers");
    SET(CURLOPT_URL, url);
    return result;
}

int ac_curl_add_cookie(ac_curl *transfer, const char *line) {
    return curl_easy_setopt(transfer->handle, CURLOPT_COOKIELIST, line);
}

void ac_curl_each_cookie(ac_curl *transfer, ac_curl_cookie_hook hook, void *context) {
    struct curl_slist *list = NULL;
    curl_easy_getinfo(transfer->handle, CURLINFO_COOKIELIST, &list);
    for (struct curl_slist *item = list; item; item = item->next) {
        hook(context, item->data);
    }
    curl_slist_free_all(list);
}

int ac_curl_set_proxy(ac_curl *transfer, const char *url) {
    CURLcode result = CURLE_OK;
    SET(CURLOPT_PROXY, url);
    SET(CURLOPT_NOPROXY, "");
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    return result;
}

int ac_curl_set_unix_socket(ac_curl *transfer, const char *path) {
    return curl_easy_setopt(transfer->handle, CURLOPT_UNIX_SOCKET_PATH, path);
}

int ac_curl_set_netrc(ac_curl *transfer, const char *path) {
    CURLcode result = CURLE_OK;
    SET(CURLOPT_NETRC_FILE, path);
    SET(CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
    return result;
}

int ac_curl_set_ca_file(ac_curl *transfer, const char *path) {
    return curl_easy_setopt(transfer->handle, CURLOPT_CAINFO, path);
}

int ac_curl_set_paused(ac_curl *transfer, bool paused) {
    return curl_easy_pause(transfer->handle, paused ? CURLPAUSE_RECV : CURLPAUSE_CONT);
}

void ac_curl_nudge(ac_curl *transfer) {
    // Resuming makes curl set its timer, but only if the transfer was paused.
    (void)curl_easy_pause(transfer->handle, CURLPAUSE_RECV);
    (void)curl_easy_pause(transfer->handle, CURLPAUSE_CONT);
}

const char *ac_curl_effective_url(ac_curl *transfer) {
    char *url = NULL;
    curl_easy_getinfo(transfer->handle, CURLINFO_EFFECTIVE_URL, &url);
    return url ? url : "";
}

/// Whether both URLs have this part with the same value, ignoring case.
static bool have_same(CURLU *url, CURLU *other, CURLUPart part) {
    char *one = NULL, *two = NULL;
    bool is_same = curl_url_get(url, part, &one, CURLU_DEFAULT_PORT) == CURLUE_OK &&
                   curl_url_get(other, part, &two, CURLU_DEFAULT_PORT) == CURLUE_OK && curl_strequal(one, two);
    curl_free(one);
    curl_free(two);
    return is_same;
}

bool ac_curl_is_same_origin(const char *url, const char *other) {
    CURLU *one = curl_url(), *two = curl_url();
    bool is_same = one && two && curl_url_set(one, CURLUPART_URL, url, 0) == CURLUE_OK &&
                   curl_url_set(two, CURLUPART_URL, other, 0) == CURLUE_OK && have_same(one, two, CURLUPART_SCHEME) &&
                   have_same(one, two, CURLUPART_HOST) && have_same(one, two, CURLUPART_PORT);
    curl_url_cleanup(one);
    curl_url_cleanup(two);
    return is_same;
}

static long long_info(ac_curl *transfer, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(transfer->handle, info, &value);
    return value;
}

long ac_curl_redirect_count(ac_curl *transfer) { return long_info(transfer, CURLINFO_REDIRECT_COUNT); }

long ac_curl_os_error(ac_curl *transfer) { return long_info(transfer, CURLINFO_OS_ERRNO); }

long ac_curl_verify_result(ac_curl *transfer) { return long_info(transfer, CURLINFO_SSL_VERIFYRESULT); }

long ac_curl_connect_status(ac_curl *transfer) { return long_info(transfer, CURLINFO_HTTP_CONNECTCODE); }

bool ac_curl_is_refused_by_proxy(ac_curl *transfer) {
    switch (long_info(transfer, CURLINFO_PROXY_ERROR)) {
    case CURLPX_NO_AUTH:
    case CURLPX_USER_REJECTED:
        return true;
    default:
        return false;
    }
}

long ac_curl_proxy_verify_result(ac_curl *transfer) { return long_info(transfer, CURLINFO_PROXY_SSL_VERIFYRESULT); }

const char *ac_curl_error_text(ac_curl *transfer) { return transfer->error; }
