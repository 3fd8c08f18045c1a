// SPDX-License-Identifier: MIT

import MediaSources
import Platform
import RadioCore
import RadioFormats

/// A document that may be a list of items: a podcast feed or a playlist.
///
/// Parsing belongs on a separate thread: a list of 4 MiB takes tenths of a second.
struct ListReading: Sendable {
    var body: [UInt8]
    var contentType: String?
    /// The address requested.
    var address: String
    /// The final address, against which relative addresses are resolved.
    var base: String

    private var guess: ContentGuess {
        let recognizer = StreamRecognizer(contentType: contentType, url: address)
        return body.withUnsafeBytes { recognizer.guess($0, isComplete: true) }
    }

    /// Why this is certainly no list, given the beginning of the body; nil if it may be one.
    var otherThanList: Failure? {
        let name = AddressText(address).redacted
        switch guess {
        case .audio: return .audioInPlaceOfList(name)
        case .wrapped:
            // Perhaps no audio can be taken out.
            var framer = PartFramer(contentType: contentType, name: address)
            body.withUnsafeBytes { framer.push($0) { _ in true } }
            guard case .unsupported(let format) = framer.content else { return .audioInPlaceOfList(name) }
            return .unsupported(name, is: format)
        case .hls: return Failure(guess, at: name)
        case .unsupported(let format) where !guess.isFeed && !mayBeXML: return .unsupported(name, is: format)
        default: return nil
        }
    }

    /// Whether the body begins like a document of XML, after a byte order mark and blanks.
    private var mayBeXML: Bool {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
        let mark = marks.first { body.starts(with: $0) }
        // In UTF-16, a zero byte stands before or after each letter of ASCII.
        return body.dropFirst(mark?.count ?? 0).first { !blanks.contains($0) && $0 != 0 } == UInt8(ascii: "<")
    }

    /// `isPrivate`: whether the document's server is in a private network.
    func read(isPrivate: Bool) throws(Failure) -> ListFetch.Found {
        if let otherThanList { throw otherThanList }
        let guess = guess
        switch guess {
        case .xml, .unsupported, .html, .text, .unknown:
            // Some feeds begin with something that looks like another format; only the parser can tell.
            guard let feed = try feed(isLikely: guess == .xml || guess.isFeed) else { break }
            return ListFetch.Found(
                items: feed.queueItems(from: address), title: feed.title, allowsPrivateAddresses: isPrivate,
                leftOut: feed.leftOut, warning: feed.warning)
        default: break
        }
        guard case .playlist(let kind) = guess else { throw Failure(guess, at: AddressText(address).redacted) }
        do throws(Playlist.Problem) {
            let list = try Playlist(body, kind: kind, base: base, for: .queue, convert: SystemCharsets.convert)
            return ListFetch.Found(
                items: list.entries.map { QueueItem($0) }, allowsPrivateAddresses: isPrivate, leftOut: list.leftOut)
        } catch {
            throw Failure(error, at: AddressText(address).redacted)
        }
    }

    /// Parses the document as a feed. Returns nil if it is not a feed and may be something else. Throws if it is an
    /// unusable feed.
    private func feed(isLikely: Bool) throws(Failure) -> Feed? {
        let feed: Feed
        do throws(FeedError) {
            feed = try FeedParser.feed(in: body, from: base)
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

extension Failure {
    fileprivate static func audioInPlaceOfList(_ name: String) -> Failure {
        Failure(.notAudio, "\(name) is audio, not a list", remedy: "play it")
    }

    fileprivate static func unsupported(_ name: String, is format: String) -> Failure {
        Failure(
            .unsupported, "\(name) is \(format), which Aircheck does not support",
            remedy: "convert a file with ffmpeg (-i ADDRESS FILE.opus); of a station, look for another address")
    }
}
