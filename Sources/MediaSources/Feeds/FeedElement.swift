// SPDX-License-Identifier: MIT

import RadioFormats

/// The elements of a feed that are read, whatever the prefix of their namespace.
enum FeedElement {
    // Root elements, and the channel.
    case rss, rdf, atomFeed, channel
    case item
    // Elements with text.
    case title, guid, published, updated, duration
    // Elements with attributes.
    case enclosure, atomLink, mediaContent
    case other

    /// `name` as it is written, in lower case; `spaces`: the namespaces by their prefixes.
    init(_ name: String, in spaces: [String: String]) {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let local = String(parts.last ?? "")
        let space = spaces[parts.count == 2 ? String(parts[0]) : ""] ?? ""
        // A prefix without a namespace, which XML does not allow, says nothing about its elements.
        guard parts.count < 2 || !space.isEmpty else {
            self = .other
            return
        }
        self = Self.elements[Self.identity(space)]?[local] ?? .other
    }

    /// The namespaces of the prefixes that feeds use without declaring them.
    static let usualSpaces = [
        "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd", "media": "http://search.yahoo.com/mrss/",
        "atom": "http://www.w3.org/2005/Atom", "dc": "http://purl.org/dc/elements/1.1/",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    ]

    /// A namespace in the form in which it is compared: feeds write `https` for `http`, and other letter case and ends.
    private static func identity(_ space: String) -> String {
        let lower = space.lowercased()
        let rest =
            ["http://", "https://"].first { lower.hasPrefix($0) }.map { lower.dropFirst($0.count) } ?? lower[...]
        return String(rest.last == "/" ? rest.dropLast() : rest)
    }

    private static let elements: [String: [String: FeedElement]] = [
        "": plain, "backend.userland.com/rss2": plain, "blogs.law.harvard.edu/tech/rss": plain,
        "purl.org/rss/1.0": plain, "my.netscape.com/rdf/simple/0.9": plain,
        "www.w3.org/1999/02/22-rdf-syntax-ns#": ["rdf": .rdf], "www.w3.org/2005/atom": atom, "purl.org/atom/ns#": atom,
        "www.itunes.com/dtds/podcast-1.0.dtd": ["duration": .duration],
        "search.yahoo.com/mrss": ["content": .mediaContent],
        "purl.org/dc/elements/1.1": ["date": .updated],
    ]
    private static let plain: [String: FeedElement] = [
        "rss": .rss, "channel": .channel, "item": .item, "title": .title, "guid": .guid, "pubdate": .published,
        "enclosure": .enclosure,
    ]
    private static let atom: [String: FeedElement] = [
        "feed": .atomFeed, "entry": .item, "title": .title, "id": .guid, "published": .published, "issued": .published,
        "updated": .updated, "modified": .updated, "link": .atomLink,
    ]

    /// Whether the element's text is gathered.
    var hasText: Bool {
        switch self {
        case .title, .guid, .published, .updated, .duration: true
        default: false
        }
    }

    /// Whether the element never has content, so that it may lack its end.
    var isEmpty: Bool { self == .enclosure || self == .atomLink }
}
