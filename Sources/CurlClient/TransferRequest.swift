// SPDX-License-Identifier: MIT

/// What to fetch, and how.
package struct TransferRequest: Sendable {
    /// The URL, with the scheme `http` or `https` (`http` if it has none), and with user name and password if the
    /// server needs them.
    package var url: String
    /// Extra header fields, in order. Names and values are checked: CR, LF and NUL are refused. The fields may contain
    /// secrets, so a redirect to another scheme, host or port drops them. Values, and the user agent, may have bytes
    /// that are not UTF-8 (`PathText`).
    package var headers: [(name: String, value: String)] = []
    /// Extra header fields without secrets: redirects to any host keep them.
    package var openHeaders: [(name: String, value: String)] = []
    package var userAgent: String
    /// Whether to request ICY metadata (`Icy-MetaData: 1`).
    package var wantsMetadata: Bool
    /// Whether to send `Accept-Encoding: identity`, which declares that no content coding is acceptable. If this is
    /// false, the field is not sent, which means the same to most servers.
    package var refusesCompression = false
    /// Whether a body that is compressed although that was not requested is decoded. The length that its head states is
    /// then that of the compressed body.
    package var decodesContent = false
    /// Whether to ask for a body that is compressed (`Accept-Encoding: gzip`), and to decode it. For small bodies that
    /// are received as a whole: a piece of few bytes may become one of many.
    package var asksForCompression = false
    /// Whether the request may be sent on a connection that an earlier request has used, and may leave its connection
    /// for later ones. For short exchanges: ``HTTPTransfer/gather(_:isCoalesced:)`` has no effect then.
    package var keepsConnection = false
    /// The byte at which to resume the download (`Range: bytes=N-`). The server resumes only if the entity tag or date
    /// still matches (`If-Range`).
    package var resumeAt: Int64?
    package var resumeValidator: String?
    /// The last byte to download, if only a part of the body from ``resumeAt`` on is wanted.
    package var lastByte: Int64?
    /// The entity tag of a copy of the body: if it still matches, the answer is 304 without a body (`If-None-Match`).
    package var ifNoneMatch: String?
    /// The date of a copy of the body, for a server that has sent no entity tag (`If-Modified-Since`).
    package var ifModifiedSince: String?
    /// The body to send, with its method; nil for a GET. The caller adds its `Content-Type` to the header fields.
    package var body: RequestBody?
    /// Whether redirects are followed. If not, the response that contains one is delivered like any other.
    package var followsRedirects = true
    /// The limit for lookup, connection and TLS together. It applies to each hop separately.
    package var connectTimeout: Duration
    /// The limit from the request to the end of the response's head. It applies to each hop separately, and begins
    /// again with each piece of the request's body that the connection takes.
    package var headTimeout: Duration = .seconds(15)
    /// The size of curl's receive buffer in bytes, clamped to 1 KiB to 512 KiB. Memory that is never filled is never
    /// touched: a buffer large enough for files costs nothing for a station, which sends small pieces.
    package var receiveBuffer: Int
    /// A file of trusted certificates (PEM), instead of the system's.
    package var caFile: String?
    /// The proxy for all hops; nil for none. The proxy resolves names, so a redirect into a private network is refused
    /// only if its URL names a private address.
    package var proxy: ProxyAddress?
    /// The Unix socket to connect to instead of the URL's host; nil for none. Redirects are not followed then.
    package var socket: String?
    /// The source of user names and passwords for URLs that contain none. A redirect to a host that the file does not
    /// name gets no user name and password.
    package var netrc: NetrcFile?
    /// Whether the URL's own host may have a private or loopback address: true for URLs that the user configured, false
    /// for URLs from elsewhere (an entry of a public playlist). Redirects never lead from public to private.
    package var allowsPrivateAddress = true

    /// Cookies that earlier responses set (``ResponseHead/cookies``). curl sends each of them only to the site that set
    /// it.
    package var cookies: [String] = []

    /// The number of redirects that led to the URL.
    var redirects = 0
    /// Whether a body in a content coding is decoded.
    var decodes: Bool { decodesContent || asksForCompression }
    /// Whether the response is read without curl's HTTP; see ``PlainRequest``.
    var readsPlainly = false

    /// Lines `HOST:PORT:ADDRESS[,ADDRESS]…` with addresses that replace the lookup of a host, for tests
    /// (`CURLOPT_RESOLVE`).
    var fixedAddresses: [String] = []

    /// Our name in requests. It must not begin with Mozilla, because SHOUTcast sends its web page to browsers.
    package static let defaultUserAgent = "Aircheck/0.1"

    package init(
        url: String, userAgent: String = defaultUserAgent, wantsMetadata: Bool = true, resumeAt: Int64? = nil,
        resumeValidator: String? = nil, connectTimeout: Duration = .seconds(10), receiveBuffer: Int = 16 * 1024
    ) {
        self.url = url
        self.userAgent = userAgent
        self.wantsMetadata = wantsMetadata
        self.resumeAt = resumeAt
        self.resumeValidator = resumeValidator
        self.connectTimeout = connectTimeout
        self.receiveBuffer = receiveBuffer
    }
}
