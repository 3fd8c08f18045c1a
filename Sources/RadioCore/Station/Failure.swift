// SPDX-License-Identifier: MIT

/// What went wrong, described so that a person can act on it.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Error classes; `Failure+Class.swift` has their consequences. Reports and sidecars contain the raw value.
    package enum Class: String, Hashable, Sendable, CaseIterable {
        /// The arguments or the URL make no sense.
        case usage
        /// The name has no address.
        case unknownHost = "unknown-host"
        case refused
        case unreachable
        case timeout
        /// The server closed, reset or broke off the connection.
        case dropped
        /// The certificate is not trusted.
        case certificate
        case tls
        /// 401, 407.
        case unauthorized
        /// 403.
        case forbidden
        /// 404.
        case notFound = "not-found"
        /// 410.
        case gone
        /// 429, 503 and other 5xx.
        case serverBusy = "server-busy"
        /// Any other status.
        case http
        /// Redirects in a circle, or to a scheme that is not fetched.
        case redirects
        /// An address that may not be connected to (link-local, public-to-private redirect).
        case forbiddenAddress = "forbidden-address"
        /// Audio in a content coding that was not requested.
        case compressed
        /// HTML, JSON, a picture: a body that is not audio.
        case notAudio = "not-audio"
        /// A whole file, where only a live station is wanted.
        case file
        /// An entry of a list that does not carry the station that plays.
        case otherStation = "other-station"
        /// A kind of audio or playlist that is not supported yet.
        case unsupported
        /// Connected, but no audio arrived.
        case noAudio = "no-audio"
        /// The response breaks HTTP or a limit.
        case `protocol`
        /// No space left, no permission, not a folder, …
        case storage
        /// The address or the port to listen on is not available now.
        case listening
        /// Audio cannot be played: no sound server, no decoder.
        case sound
        case configuration
        case `internal`
    }

    package var failureClass: Class
    /// What failed, and on what: one line, without credentials and query strings.
    package var message: String
    /// What to do.
    package var remedy: String
    /// The setting that carries out the remedy, if there is one. ``naming(_:)`` adds the reader's name for it.
    package var setting: SettingField?
    /// How long the server asked clients to wait (`Retry-After`).
    package var retryAfter: Duration?

    package init(
        _ failureClass: Class, _ message: String, remedy: String, setting: SettingField? = nil,
        retryAfter: Duration? = nil
    ) {
        self.failureClass = failureClass
        self.message = message
        self.remedy = remedy
        self.setting = setting
        self.retryAfter = retryAfter
    }

    /// Returns the failure with the name of ``setting`` in its remedy, if `name` has a name for it.
    package func naming(_ name: (SettingField) -> String?) -> Failure {
        var failure = self
        if let name = setting.flatMap(name) { failure.remedy += " with \(name)" }
        return failure
    }

    /// For a log: what failed, what to do, and the class to search for.
    package var description: String { "\(message): \(remedy) [\(failureClass.rawValue)]" }

    /// For people, who do not need the class: what failed, and what to do.
    package var words: String { "\(message): \(remedy)" }

    /// For a ledger with many failures: the class comes first.
    package var entry: String { "\(failureClass.rawValue): \(message); \(remedy)" }
}
