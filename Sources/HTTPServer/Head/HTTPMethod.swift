// SPDX-License-Identifier: MIT

/// The methods that the server takes.
package enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case options = "OPTIONS"

    /// Methods that exist, but that no route of ours has: 405 rather than 501.
    static let refused: Set<String> = ["CONNECT", "TRACE", "PATCH"]
}
