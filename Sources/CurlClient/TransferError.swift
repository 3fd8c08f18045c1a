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

    /// A kind of failure, with a short stable word for metrics and logs.
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        /// The URL is invalid, or is neither `http` nor `https`.
        case badURL = "bad-url"
        /// An extra header field, the user agent or the validator contains characters that a header must not contain.
        case badHeader = "bad-header"
        /// The certificate file cannot be read.
        case badCAFile = "bad-ca-file"
        /// The name has no address.
        case unknownHost = "unknown-host"
        case refused
        /// There is no route to the host or network.
        case unreachable
        /// Lookup, connection and TLS together took too long.
        case connectTimeout = "connect-timeout"
        /// The request was sent, but no complete head arrived in time.
        case headTimeout = "head-timeout"
        /// The proxy requires a user name and password, or rejected the ones it was given.
        case proxyLogin = "proxy-login"
        /// The proxy did not connect to the server.
        case proxyRefusal = "proxy-refusal"
        /// The connection was closed without an answer, reset, or broken off midway.
        case dropped
        /// The connection was closed before the announced length was received.
        case truncated
        case tlsHandshake = "tls-handshake"
        case certificateExpired = "certificate-expired"
        /// The certificate is not valid yet. A wrong local clock has the same effect.
        case certificateNotYetValid = "certificate-not-yet-valid"
        case certificateWrongHost = "certificate-wrong-host"
        case certificateUntrusted = "certificate-untrusted"
        case tooManyRedirects = "too-many-redirects"
        /// A redirect leads to a URL that is neither `http` nor `https`.
        case schemeNotAllowed = "scheme-not-allowed"
        /// The address must never be connected to, or a redirect leads from a public address to a private one.
        case addressForbidden = "address-forbidden"
        /// The head has more than 64 fields or 16 KiB.
        case headTooLarge = "head-too-large"
        /// The response is not HTTP, or violates it.
        case protocolViolation = "protocol-violation"
        /// The server answers with TLS, although the URL begins with `http`.
        case speaksTLS = "speaks-tls"
        /// The body is compressed, although that was not requested.
        case compressed
        /// This machine has no descriptors or memory left.
        case resources
        /// This program broke off the transfer.
        case aborted

        package var description: String { rawValue }
    }
}
