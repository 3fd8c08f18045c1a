// SPDX-License-Identifier: MIT

import RadioFormats

/// The elements of a feed that are read, whatever the prefix of their namespace.
enum FeedElement {
    // Root elements, and the channel.
    case rss, rdf, atomFeed, channel
    // Groups of elements.
    case item, image
    // Elements with text.
    case title, guid, published, updated, duration, episode, url
    // Elements with attributes.
    case enclosure, atomLink, mediaContent, itunesImage
    // An element whose text is the address of an image.
    case atomImage
    case other

    /// `name` as the parser reports it: namespace, ``separator``, local name.
    init(_ name: String) {
        let parts = name.split(separator: FeedElement.separator, maxSplits: 1)
        let local = parts.last?.lowercased() ?? ""
        let space = parts.count == 2 ? parts[0].lowercased() : ""
        switch space {
        case "", "http://backend.userland.com/rss2", "http://blogs.law.harvard.edu/tech/rss",
            "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/":
            self = Self.plain[local] ?? .other
        case "http://www.w3.org/1999/02/22-rdf-syntax-ns#": self = local == "rdf" ? .rdf : .other
        case "http://www.w3.org/2005/atom", "http://purl.org/atom/ns#": self = Self.atom[local] ?? .other
        case "http://www.itunes.com/dtds/podcast-1.0.dtd": self = Self.itunes[local] ?? .other
        case "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss":
            self = local == "content" ? .mediaContent : .other
        case "http://purl.org/dc/elements/1.1/": self = local == "date" ? .updated : .other
        default: self = .other
        }
    }

    /// XML does not allow this character, so no namespace contains it.
    static let separator: Character = "\u{C}"

    private static let plain: [String: FeedElement] = [
        "rss": .rss, "channel": .channel, "item": .item, "image": .image, "title": .title, "guid": .guid,
        "pubdate": .published, "enclosure": .enclosure, "url": .url,
    ]
    private static let atom: [String: FeedElement] = [
        "feed": .atomFeed, "entry": .item, "title": .title, "id": .guid, "published": .published, "issued": .published,
        "updated": .updated, "modified": .updated, "link": .atomLink, "logo": .atomImage, "icon": .atomImage,
    ]
    private static let itunes: [String: FeedElement] = [
        "duration": .duration, "episode": .episode, "image": .itunesImage,
    ]

    /// Whether the element's text is gathered.
    var hasText: Bool {
        switch self {
        case .title, .guid, .published, .updated, .duration, .episode, .url, .atomImage: true
        default: false
        }
    }
}
