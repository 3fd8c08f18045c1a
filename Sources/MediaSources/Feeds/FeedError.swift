// SPDX-License-Identifier: MIT

package import RadioCore

/// Why a document cannot be read as a feed.
package enum FeedError: Error, Hashable, Sendable {
    /// The XML library cannot be opened.
    case noLibrary(String)
    /// The document is longer than ``FeedParser/longestBody``.
    case tooLong
    /// Elements are nested deeper than ``FeedParser/deepest``.
    case tooDeep
    /// The document declares its own entities. No feed needs them, and a few lines of them could expand to gigabytes.
    case ownEntities
    /// The document is XML of another kind, with this root element.
    case notAFeed(String)
    /// The document is not well-formed XML; with the position of the error.
    case malformed(String, line: Int, column: Int)

    package var failure: Failure {
        switch self {
        case .noLibrary(let reason):
            Failure(
                .unsupported, "feeds cannot be read here: \(reason)", remedy: "install libexpat (package libexpat1)")
        case .tooLong:
            Failure(
                .unsupported, "the feed is longer than \(FeedParser.longestBody >> 20) MiB",
                remedy: "use a feed with fewer items")
        case .tooDeep:
            Failure(.unsupported, "the feed is nested too deeply", remedy: "check the address")
        case .ownEntities:
            Failure(.unsupported, "the feed declares entities of its own", remedy: "check the address")
        case .notAFeed(let name):
            Failure(.notAudio, "it is not a feed: its root element is <\(name)>", remedy: "check the address")
        case .malformed(let reason, let line, let column):
            Failure(
                .notAudio, "the feed is damaged in line \(line), column \(column): \(reason)",
                remedy: "try again later, or check the address")
        }
    }
}
