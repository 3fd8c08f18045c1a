// SPDX-License-Identifier: MIT

package import RadioCore

/// Why a document is no feed that can be read.
package enum FeedError: Error, Hashable, Sendable {
    /// The library that reads XML cannot be opened.
    case noLibrary(String)
    /// Longer than ``FeedParser/longestBody``.
    case tooLong
    /// Elements in each other beyond ``FeedParser/deepest``.
    case tooDeep
    /// It declares entities of its own: no feed needs them, and a few lines of them could stand for gigabytes.
    case ownEntities
    /// XML of another kind; the name of its first element.
    case notAFeed(String)
    /// No XML, and where it stops being so.
    case malformed(String, line: Int, column: Int)

    package var failure: Failure {
        switch self {
        case .noLibrary(let reason):
            Failure(
                .unsupported, "feeds cannot be read here: \(reason)", remedy: "install libexpat (package libexpat1)")
        case .tooLong:
            Failure(
                .unsupported, "the feed is longer than \(FeedParser.longestBody >> 20) MiB",
                remedy: "use one with fewer items")
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
