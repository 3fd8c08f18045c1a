// SPDX-License-Identifier: MIT

import Platform
import RadioFormats

/// Parses a podcast's feed. Never traps, and holds little more than the document.
///
/// Feeds are put together from texts of other programs, and the newest item comes first. So no fault ends the parsing:
/// an element that is never closed ends where its item ends, or where the next item begins, and other faults remain in
/// the text in which they stand. Entities that a document declares are not expanded.
package struct FeedParser {
    package static let longestBody = 4 << 20
    /// Elements that are nested deeper are ignored.
    package static let deepest = 64

    private var feed = Feed()
    /// Why the document is no feed; nil while it may be one.
    private var error: FeedError?
    private var hasRoot = false
    /// The elements that are open, outermost first.
    private var open: [OpenElement] = []
    private var spaces = FeedElement.usualSpaces
    /// What relative addresses are resolved against.
    private var base: URLReference
    /// The depths of the current item, and of the channel.
    private var itemDepth: Int?
    private var channelDepth: Int?
    private var item = FeedItemDraft()
    private var gathering: (element: FeedElement, depth: Int, text: [UInt8])?

    private struct OpenElement {
        let name: String
        /// The namespaces and the base outside the element.
        let outerSpaces: [String: String]
        let outerBase: URLReference
    }

    private static let mostItems = 10_000
    private static let longestAddress = 4 << 10
    private static let longestText = 64 << 10
    /// The elements of warnings of the script that makes the feed.
    private static let warningElements: Set<String> = ["b", "br", "i", "p", "pre", "strong"]

    /// Reads a whole document. `address` is its own address, against which relative addresses are resolved. Throws if
    /// the document is not a feed.
    package static func feed(in bytes: [UInt8], from address: String) throws(FeedError) -> Feed {
        guard bytes.count <= longestBody else { throw .tooLong }
        var parser = FeedParser(address)
        return try parser.feed(in: DocumentText.decode(bytes, convert: SystemCharsets.convert))
    }

    private init(_ address: String) {
        let base = URLReference(address)
        self.base = base.resolved(against: base)
    }

    private mutating func feed(in text: String) throws(FeedError) -> Feed {
        var scanner = MarkupScanner(Array(text.utf8), keepsPrefixes: true)
        while error == nil, let token = scanner.next() {
            switch token {
            case .start(let name, let attributes): start(name, attributes)
            case .end(let name): end(name)
            case .text(let text): gather(text)
            }
        }
        if let error { throw error }
        guard hasRoot else { throw .notAFeed(nil) }
        // The item in which the document ends may lack anything, such as the end of its address.
        feed.isTruncated = !open.isEmpty
        return feed
    }
}

// MARK: - Elements

extension FeedParser {
    private mutating func start(_ name: String, _ attributes: [String: String]) {
        let outerSpaces = spaces
        for (key, value) in attributes where key == "xmlns" || key.hasPrefix("xmlns:") {
            spaces[String(key.dropFirst(6))] = value
        }
        let element = FeedElement(name, in: spaces)
        if element == .item { close { $0.itemDepth != nil } }
        if element != .other { close { $0.gathering != nil } }
        guard open.count < Self.deepest else {
            spaces = outerSpaces
            return
        }
        open.append(OpenElement(name: name, outerSpaces: outerSpaces, outerBase: base))
        begin(element, name, attributes)
        if element.isEmpty { closeLast() }
    }

    private mutating func begin(_ element: FeedElement, _ name: String, _ attributes: [String: String]) {
        guard hasRoot || isRoot(element, name) else { return }
        hasRoot = true
        if let inner = attributes["xml:base"], inner.utf8.count <= Self.longestAddress {
            base = URLReference(inner).resolved(against: base)
        }
        // Elements inside a text belong to the text.
        guard gathering == nil else { return }
        let depth = open.count
        switch element {
        case .channel where itemDepth == nil, .atomFeed where itemDepth == nil: channelDepth = depth
        case .item where itemDepth == nil: (itemDepth, item) = (depth, FeedItemDraft())
        case .enclosure, .atomLink, .mediaContent: link(element, attributes)
        // The text of a direct child of the current item, or of the channel.
        case _ where element.hasText && depth == (itemDepth ?? channelDepth ?? 0) + 1: gathering = (element, depth, [])
        default: break
        }
    }

    private mutating func isRoot(_ element: FeedElement, _ name: String) -> Bool {
        switch element {
        case .rss, .rdf, .atomFeed, .channel: return true
        default:
            if !Self.warningElements.contains(name) { error = .notAFeed(TitleText.cleaned(name, toBytes: 40)) }
            return false
        }
    }

    /// Ends an element, and all elements inside it. An end without a start is ignored.
    private mutating func end(_ name: String) {
        guard let place = open.lastIndex(where: { $0.name == name }) else { return }
        while open.count > place { closeLast() }
    }

    private mutating func close(while isWanted: (FeedParser) -> Bool) {
        while !open.isEmpty, isWanted(self) { closeLast() }
    }

    private mutating func closeLast() {
        let depth = open.count
        guard let last = open.popLast() else { return }
        (spaces, base) = (last.outerSpaces, last.outerBase)
        if let (element, place, text) = gathering, place == depth {
            gathering = nil
            set(element, String(decoding: text, as: UTF8.self))
        }
        if itemDepth == depth { endItem() }
    }
}

// MARK: - Contents

extension FeedParser {
    private mutating func gather(_ text: String) {
        guard let count = gathering?.text.count, count < Self.longestText else { return }
        gathering?.text.append(contentsOf: text.utf8.prefix(Self.longestText - count))
    }

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
        guard let text, text.utf8.count <= Self.longestAddress else { return nil }
        let trimmed = PlaylistAddress.read(FeedText.trimmed(text))
        guard !trimmed.isEmpty else { return nil }
        let url = URLReference(trimmed).resolved(against: base)
        return url.isWebAddress && url.text.utf8.count <= Self.longestAddress ? url.text : nil
    }
}
