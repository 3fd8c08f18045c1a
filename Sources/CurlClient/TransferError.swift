// SPDX-License-Identifier: MIT

/// Why a transfer failed. An HTTP status is not an error here: the head contains it.
package struct TransferError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; kinds may be added.
    package let code: Code
    /// What failed, and where: one line, without credentials and query.
    package let message: String
    /// curl's own number and text, for logs.
    package let detail: String?
    /// The numeric address that was refused, if the code is `addressForbidden`.
    package let address: String?
    /// Whether the proxy, rather than the server, has failed or refused.
    package let isOfProxy: Bool

    package init(
        _ code: Code, _ message: String, detail: String? = nil, address: String? = nil, isOfProxy: Bool = false
    ) {
        self.code = code
        self.message = message
        self.detail = detail
        self.address = address
        self.isOfProxy = isOfProxy
    }

    package var description: String { detail.map { "\(message) (\($0))" } ?? message }

    /// A kind of failure.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case badURL = "bad-url"
            case badHeader = "bad-header"
            case badCAFile = "bad-ca-file"
            case unknownHost = "unknown-host"
            case refused, unreachable
            case connectTimeout = "connect-timeout"
            case headTimeout = "head-timeout"
            case proxyLogin = "proxy-login"
            case proxyRefusal = "proxy-refusal"
            case dropped, truncated
            case tlsHandshake = "tls-handshake"
            case certificateExpired = "certificate-expired"
            case certificateNotYetValid = "certificate-not-yet-valid"
            case certificateWrongHost = "certificate-wrong-host"
            case certificateUntrusted = "certificate-untrusted"
            case tooManyRedirects = "too-many-redirects"
            case schemeNotAllowed = "scheme-not-allowed"
            case addressForbidden = "address-forbidden"
            case headTooLarge = "head-too-large"
            case protocolViolation = "protocol-violation"
            case speaksTLS = "speaks-tls"
            case compressed, resources, aborted
        }

        private let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// A short stable word, for metrics and logs.
        package var description: String { kind.rawValue }

        /// The URL is invalid, or is neither `http` nor `https`.
        package static let badURL = Code(.badURL)
        /// An extra header field, the user agent or the validator contains characters that a header must not contain.
        package static let badHeader = Code(.badHeader)
        /// The certificate file cannot be read.
        package static let badCAFile = Code(.badCAFile)
        /// The name has no address.
        package static let unknownHost = Code(.unknownHost)
        package static let refused = Code(.refused)
        /// There is no route to the host or network.
        package static let unreachable = Code(.unreachable)
        /// Lookup, connection and TLS together took too long.
        package static let connectTimeout = Code(.connectTimeout)
        /// The request was sent, but no complete head arrived in time.
        package static let headTimeout = Code(.headTimeout)
        /// The proxy requires a user name and password, or rejected the ones it was given.
        package static let proxyLogin = Code(.proxyLogin)
        /// The proxy did not connect to the server.
        package static let proxyRefusal = Code(.proxyRefusal)
        /// The connection was closed without an answer, reset, or broken off midway.
        package static let dropped = Code(.dropped)
        /// The connection was closed before the announced length was received.
        package static let truncated = Code(.truncated)
        package static let tlsHandshake = Code(.tlsHandshake)
        package static let certificateExpired = Code(.certificateExpired)
        /// The certificate is not valid yet. A wrong local clock has the same effect.
        package static let certificateNotYetValid = Code(.certificateNotYetValid)
        package static let certificateWrongHost = Code(.certificateWrongHost)
        package static let certificateUntrusted = Code(.certificateUntrusted)
        package static let tooManyRedirects = Code(.tooManyRedirects)
        /// A redirect leads to a URL that is neither `http` nor `https`.
        package static let schemeNotAllowed = Code(.schemeNotAllowed)
        /// The address must never be connected to, or a redirect leads from a public address to a private one.
        package static let addressForbidden = Code(.addressForbidden)
        /// The head has more than 64 fields or 16 KiB.
        package static let headTooLarge = Code(.headTooLarge)
        /// The response is not HTTP, or violates it.
        package static let protocolViolation = Code(.protocolViolation)
        /// The server answers with TLS, although the URL begins with `http`.
        package static let speaksTLS = Code(.speaksTLS)
        /// The body is compressed, although that was not requested.
        package static let compressed = Code(.compressed)
        /// This machine has no descriptors or memory left.
        package static let resources = Code(.resources)
        /// This program broke off the transfer.
        package static let aborted = Code(.aborted)
    }
}
