// SPDX-License-Identifier: MIT

/// Why a transfer failed. An HTTP status is no error here: it comes in the head.
package struct TransferError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is; more may be added.
    package let code: Code
    /// What failed, on what: one line, without credentials and query.
    package let message: String
    /// curl's own number and words, for a log.
    package let detail: String?
    /// The numeric address, of `addressForbidden`.
    package let address: String?

    package init(_ code: Code, _ message: String, detail: String? = nil, address: String? = nil) {
        self.code = code
        self.message = message
        self.detail = detail
        self.address = address
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
            case compressed, resources, aborted
        }

        private let kind: Kind

        private init(_ kind: Kind) { self.kind = kind }

        /// A short stable word, for metrics and logs.
        package var description: String { kind.rawValue }

        /// The URL makes no sense, or is neither `http` nor `https`.
        package static let badURL = Code(.badURL)
        /// An extra header field, the user agent or the validator holds characters that may not be in a header.
        package static let badHeader = Code(.badHeader)
        /// The file of certificates cannot be read.
        package static let badCAFile = Code(.badCAFile)
        /// The name has no address.
        package static let unknownHost = Code(.unknownHost)
        package static let refused = Code(.refused)
        /// No route to the host or network.
        package static let unreachable = Code(.unreachable)
        /// Name, connection and TLS took too long together.
        package static let connectTimeout = Code(.connectTimeout)
        /// The request was sent and no whole head came in time.
        package static let headTimeout = Code(.headTimeout)
        /// Closed without an answer, reset, or broken off in the middle of something.
        package static let dropped = Code(.dropped)
        /// Closed before the announced length was there.
        package static let truncated = Code(.truncated)
        package static let tlsHandshake = Code(.tlsHandshake)
        package static let certificateExpired = Code(.certificateExpired)
        /// Also what a wrong clock here looks like.
        package static let certificateNotYetValid = Code(.certificateNotYetValid)
        package static let certificateWrongHost = Code(.certificateWrongHost)
        package static let certificateUntrusted = Code(.certificateUntrusted)
        package static let tooManyRedirects = Code(.tooManyRedirects)
        /// A redirect that leads to neither `http` nor `https`.
        package static let schemeNotAllowed = Code(.schemeNotAllowed)
        /// An address that is never connected to, or a redirect from a public to a private one.
        package static let addressForbidden = Code(.addressForbidden)
        /// More than 64 fields or 16 KiB.
        package static let headTooLarge = Code(.headTooLarge)
        /// The response is no HTTP, or breaks it.
        package static let protocolViolation = Code(.protocolViolation)
        /// The body is compressed although nobody asked for it.
        package static let compressed = Code(.compressed)
        /// No descriptors or memory left here.
        package static let resources = Code(.resources)
        /// Something of ours broke it off.
        package static let aborted = Code(.aborted)
    }
}
