// SPDX-License-Identifier: MIT

/// What went wrong, said so that a person can act on it.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Error classes; `Failure+Class.swift` has what follows from each. The raw value is what reports and sidecars say.
    package enum Class: String, Hashable, Sendable, CaseIterable {
        /// The arguments or the URL make no sense.
        case usage
        /// The name has no address.
        case unknownHost = "unknown-host"
        case refused
        case unreachable
        case timeout
        /// Closed, reset or broken off by the server.
        case dropped
        /// The certificate is not to be trusted.
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
        case redirects
        /// An address that may not be connected to (link-local, public-to-private redirect).
        case forbiddenAddress = "forbidden-address"
        /// Audio behind a content coding that nobody asked for.
        case compressed
        /// HTML, JSON, a picture: something, but no audio.
        case notAudio = "not-audio"
        /// A kind of audio or playlist that is not supported yet.
        case unsupported
        /// Connected, and nothing came.
        case noAudio = "no-audio"
        /// The response breaks HTTP or a limit.
        case `protocol`
        /// No space left, no permission, not a folder, …
        case storage
        /// The address or the port to listen on is not available just now.
        case listening
        /// What is to be heard cannot be: no sound server, no decoder.
        case sound
        case configuration
        case `internal`
    }

    package var failureClass: Class
    /// What failed, on what. One line, no credentials, no query strings.
    package var message: String
    /// What to do.
    package var remedy: String
    /// The setting by which that is done, if there is one: who knows how the reader calls it may add its name.
    package var setting: SettingField?
    /// How long the server asked us to stay away (`Retry-After`).
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

    /// The same, with the setting in the remedy by which it is carried out, where `name` has a name for it.
    package func naming(_ name: (SettingField) -> String?) -> Failure {
        var failure = self
        if let name = setting.flatMap(name) { failure.remedy += " with \(name)" }
        return failure
    }

    /// For a log: what failed, what to do, and the class to look for.
    package var description: String { "\(message): \(remedy) [\(failureClass.rawValue)]" }

    /// For a person who reads no classes: what failed, and what to do.
    package var words: String { "\(message): \(remedy)" }

    /// For a ledger: the class first, as there are many.
    package var entry: String { "\(failureClass.rawValue): \(message); \(remedy)" }
}
