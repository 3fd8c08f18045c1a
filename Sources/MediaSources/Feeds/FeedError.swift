// SPDX-License-Identifier: MIT

package import RadioCore

/// Why a document cannot be read as a feed.
package enum FeedError: Error, Hashable, Sendable {
    /// The document is longer than ``FeedParser/longestBody``.
    case tooLong
    /// The document is of another kind, with this root element; nil if it has no elements.
    case notAFeed(String?)

    package var failure: Failure {
        switch self {
        case .tooLong:
            Failure(
                .unsupported, "the feed is longer than \(FeedParser.longestBody >> 20) MiB",
                remedy: "use a feed with fewer items")
        case .notAFeed(let name?):
            Failure(.notAudio, "it is not a feed: its root element is <\(name)>", remedy: "check the address")
        case .notAFeed(nil):
            Failure(.notAudio, "it is not a feed: it has no elements", remedy: "check the address")
        }
    }
}
