// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// Builds a feed from elements and texts. It is a value, and its size is bounded for any input.
struct FeedReader {
    private(set) var feed = Feed()
    /// Why reading has stopped; nil while it continues.
    private(set) var error: FeedError?

    private var depth = 0
    private(set) var hasRoot = false
    /// The depths of the current item, and of the channel.
    private var itemDepth: Int?
    private var channelDepth: Int?
    private var item = FeedItemDraft()
    private var gathering: (element: FeedElement, depth: Int, text: [UInt8])?
    /// The addresses that relative addresses are resolved against, innermost last.
    private var bases: [(depth: Int, address: URLReference)]

    private static let longestText = 64 << 10

    /// `address` is the feed's own address.
    init(address: String) {
        let base = URLReference(address)
        bases = [(0, base.resolved(against: base))]
    }

    /// Whether an item is open.
    var hasItem: Bool { itemDepth != nil }
    /// Whether an element is open whose text is gathered.
    var isGathering: Bool { gathering != nil }

    /// `name` and the names of attributes as they are written, in lower case.
    mutating func start(_ element: FeedElement, _ name: String, _ attributes: [String: String]) {
        guard error == nil else { return }
        depth += 1
        guard hasRoot || isRoot(element, name) else { return }
        hasRoot = true
        if let base = attributes["xml:base"], base.utf8.count <= Self.longestAddress, let outer = bases.last {
            bases.append((depth, URLReference(base).resolved(against: outer.address)))
        }
        // Elements inside a text belong to the text.
        guard gathering == nil else { return }
        switch element {
        case .channel where itemDepth == nil, .atomFeed where itemDepth == nil: channelDepth = depth
        case .item where itemDepth == nil: (itemDepth, item) = (depth, FeedItemDraft())
        case .enclosure, .atomLink, .mediaContent: link(element, attributes)
        case _ where element.hasText && isChild: gathering = (element, depth, [])
        default: break
        }
    }

    mutating func end() {
        guard error == nil else { return }
        if let (element, depth, text) = gathering, depth == self.depth {
            gathering = nil
            set(element, String(decoding: text, as: UTF8.self))
        }
        if itemDepth == depth { endItem() }
        if bases.count > 1, bases.last?.depth == depth { bases.removeLast() }
        depth -= 1
    }

    mutating func text(_ text: String) {
        guard let count = gathering?.text.count, count < Self.longestText else { return }
        gathering?.text.append(contentsOf: text.utf8.prefix(Self.longestText - count))
    }

}

extension FeedReader {
    static let longestAddress = 4 << 10
    static let mostItems = 10_000

    private static let warningElements: Set<String> = ["b", "br", "i", "p", "pre", "strong"]

    private mutating func isRoot(_ element: FeedElement, _ name: String) -> Bool {
        switch element {
        case .rss, .rdf, .atomFeed, .channel: return true
        default:
            // Warnings of the script that makes the feed.
            guard !Self.warningElements.contains(name) else { return false }
            error = .notAFeed(TitleText.cleaned(name, toBytes: 40))
            return false
        }
    }

    /// Whether the element is a direct child of the current item, or of the channel.
    private var isChild: Bool { depth == (itemDepth ?? channelDepth ?? 0) + 1 }

    private mutating func set(_ element: FeedElement, _ text: String) {
        guard itemDepth == nil else { return item.set(element, text) }
        if element == .title { feed.title = feed.title ?? FeedText.title(text) }
    }

    private mutating func link(_ element: FeedElement, _ attributes: [String: String]) {
        guard itemDepth != nil else { return }
        let key = element == .atomLink ? "href" : "url"
        if element == .atomLink, attributes["rel"]?.lowercased() != "enclosure" { return }
        guard let address = address(attributes[key]) else { return }
        item.add(
            FeedEnclosure(
                address: address, type: attributes["type"], medium: attributes["medium"],
                length: element == .mediaContent ? attributes["duration"].flatMap(FeedText.duration) : nil,
                isFallback: element == .mediaContent))
    }

    private mutating func endItem() {
        itemDepth = nil
        guard let item = item.item else { return }
        if feed.items.count < Self.mostItems { feed.items.append(item) } else { feed.leftOut += 1 }
    }

    /// The absolute address; nil if it is neither http nor https, or too long.
    private func address(_ text: String?) -> String? {
        guard let text, text.utf8.count <= Self.longestAddress, let base = bases.last else { return nil }
        let trimmed = PlaylistAddress.read(FeedText.trimmed(text))
        guard !trimmed.isEmpty else { return nil }
        let url = URLReference(trimmed).resolved(against: base.address)
        guard url.isWebAddress else { return nil }
        let address = url.text
        return address.utf8.count <= Self.longestAddress ? address : nil
    }
}
