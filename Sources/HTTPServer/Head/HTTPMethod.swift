// SPDX-License-Identifier: MIT

/// The methods that the server accepts.
package enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case options = "OPTIONS"

    /// Whether the method changes nothing (RFC 9110, section 9.2.1).
    package var isSafe: Bool { [.get, .head, .options].contains(self) }

    /// Methods that exist but that no route accepts. They are answered with 405 instead of 501.
    static let refused: Set<String> = ["CONNECT", "TRACE", "PATCH"]
}
