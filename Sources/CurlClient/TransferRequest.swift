// SPDX-License-Identifier: MIT

/// What to fetch.
package struct TransferRequest: Sendable, Hashable {
    /// `http` or `https`, with user name and password where the server wants them; without a scheme it is `http`.
    package var url: String
    /// Extra header fields, in order; names and values are checked, CR, LF and NUL are refused. They may hold secrets:
    /// a redirect to another scheme, host or port does not take them along.
    package var headers: [(name: String, value: String)] {
        get { headerPairs.map { ($0.name, $0.value) } }
        set { headerPairs = newValue.map { HeaderPair(name: $0.name, value: $0.value) } }
    }
    /// Extra header fields that hold no secret: redirects take them along wherever they lead.
    package var openHeaders: [(name: String, value: String)] {
        get { openPairs.map { ($0.name, $0.value) } }
        set { openPairs = newValue.map { HeaderPair(name: $0.name, value: $0.value) } }
    }
    package var userAgent: String
    /// Asks for ICY metadata (`Icy-MetaData: 1`).
    package var wantsMetadata: Bool
    /// Says that no content coding is acceptable (`Accept-Encoding: identity`). Otherwise nothing is said, which means
    /// the same to most servers.
    package var refusesCompression = false
    /// Resume at this byte (`Range: bytes=N-`), and only where the entity tag or date still holds (`If-Range`).
    package var resumeAt: Int64?
    package var resumeValidator: String?
    /// The limit for the name, the connection and TLS together, of each hop.
    package var connectTimeout: Duration
    /// The limit from the request to the end of the response's head, of each hop.
    package var headTimeout: Duration = .seconds(15)
    /// Size of curl's receive buffer in bytes, taken within 1 KiB to 512 KiB. Memory that is never filled is never
    /// touched: a buffer that is large enough for a file costs nothing for a station, which sends small pieces.
    package var receiveBuffer: Int
    /// A file of certificates (PEM) to trust instead of the system's.
    package var caFile: String?
    /// Whether the URL's own host may have a private or loopback address: yes for what the user configured, no for
    /// what came from somebody else (an entry of a public playlist). Redirects never lead from public to private.
    package var allowsPrivateAddress = true

    /// The addresses of hosts, in place of a lookup: lines `HOST:PORT:ADDRESS[,ADDRESS]…`, for tests
    /// (`CURLOPT_RESOLVE`).
    var fixedAddresses: [String] = []

    private struct HeaderPair: Sendable, Hashable { var name: String, value: String }
    private var headerPairs: [HeaderPair] = []
    private var openPairs: [HeaderPair] = []

    /// Our name in requests. It must not begin with Mozilla: SHOUTcast sends browsers its web page.
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
