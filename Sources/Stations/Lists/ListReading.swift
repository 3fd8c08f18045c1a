// SPDX-License-Identifier: MIT

import CurlClient
import MediaSources
import RadioCore
import RadioFormats

/// A document that may be a list of items: a podcast feed or a playlist.
///
/// Parsing belongs on a separate thread: a list of 4 MiB takes tenths of a second, and the XML library has to be opened
/// first.
struct ListReading: Sendable {
    var body: [UInt8]
    var contentType: String?
    /// The address requested.
    var address: String
    /// The final address, against which relative addresses are resolved.
    var base: String

    struct Contents: Sendable {
        var items: [QueueItem]
        /// The list's own title.
        var title: String?
        /// How many further items were left out, because the list exceeds the limit.
        var leftOut = 0
        /// Why the list could not be read beyond the last of these items; nil if it was read without damage.
        var damage: String?
    }

    func read() throws(Failure) -> Contents {
        let recognizer = StreamRecognizer(contentType: contentType, url: address)
        let guess = body.withUnsafeBytes { recognizer.guess($0, isComplete: true) }
        switch guess {
        case .xml, .unsupported, .html, .text, .unknown:
            // Some feeds begin with something that looks like another format; only the parser can tell.
            let isXML = if case .unsupported = guess { true } else { guess == .xml }
            guard let feed = try feed(isLikely: isXML) else { break }
            return Contents(
                items: feed.queueItems(from: address), title: feed.title, leftOut: feed.leftOut,
                damage: feed.damage?.failure.message)
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

    /// Parses the document as a feed. Returns nil if it is not a feed and may be something else. Throws if it is an
    /// unusable feed.
    private func feed(isLikely: Bool) throws(Failure) -> Feed? {
        let parser = FeedParser(address: base)
        body.withUnsafeBytes { parser.append($0) }
        let feed: Feed
        do throws(FeedError) {
            feed = try parser.salvage()
        } catch {
            if case .notAFeed = error { return nil }
            guard isLikely else { return nil }
            throw error.failure
        }
        guard !feed.items.isEmpty else {
            throw Failure(
                .notAudio, "the feed at \(AddressText(address).redacted) contains no web address of audio",
                remedy: "look into it for enclosures whose addresses begin with http:// or https://")
        }
        return feed
    }
}
