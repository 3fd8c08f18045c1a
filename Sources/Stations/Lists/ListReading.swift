// SPDX-License-Identifier: MIT

import CurlClient
import MediaSources
import RadioCore
import RadioFormats

/// A document that may be a list of items: a podcast's feed, or a playlist. A value.
///
/// To read it is work for a thread: 4 MiB of it take tenths of a second, be it a feed or a playlist, and the library
/// that reads XML has to be opened first.
struct ListReading: Sendable {
    var body: [UInt8]
    var contentType: String?
    /// Where it was asked for.
    var address: String
    /// Where it was in the end: what relative addresses are relative to.
    var base: String

    struct Contents: Sendable {
        var items: [QueueItem]
        /// What the list calls itself.
        var title: String?
        /// How many more it has.
        var leftOut = 0
    }

    func read() throws(Failure) -> Contents {
        let recognizer = StreamRecognizer(contentType: contentType, url: address)
        let guess = body.withUnsafeBytes { recognizer.guess($0, isComplete: true) }
        switch guess {
        case .xml, .unsupported, .html, .text, .unknown:
            // Some feeds begin with what looks like something else; only the parser knows.
            let isXML = if case .unsupported = guess { true } else { guess == .xml }
            guard let feed = try feed(isLikely: isXML) else { break }
            return Contents(items: feed.queueItems(from: address), title: feed.title, leftOut: feed.leftOut)
        default: break
        }
        guard case .playlist(let kind) = guess else { throw Failure(guess, at: AddressText(address).redacted) }
        do throws(Playlist.Problem) {
            let list = try Playlist(body, kind: kind, base: base, for: .queue)
            return Contents(items: list.entries.map { QueueItem($0) }, leftOut: list.leftOut)
        } catch {
            throw Failure(error, at: AddressText(address).redacted)
        }
    }

    /// Nil where it is none, and may be something else.
    private func feed(isLikely: Bool) throws(Failure) -> Feed? {
        let parser = FeedParser(address: base)
        body.withUnsafeBytes { parser.append($0) }
        let feed: Feed
        do throws(FeedError) {
            feed = try parser.finish()
        } catch {
            if case .notAFeed = error { return nil }
            guard isLikely else { return nil }
            throw error.failure
        }
        guard !feed.items.isEmpty else {
            throw Failure(
                .notAudio, "the feed at \(AddressText(address).redacted) names no audio that lies on the web",
                remedy: "look into it for enclosures whose addresses begin with http:// or https://")
        }
        return feed
    }
}
