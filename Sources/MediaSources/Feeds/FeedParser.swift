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

    private var reader: FeedReader
    /// The elements that are open, outermost first.
    private var open: [OpenElement] = []
    private var spaces = FeedElement.usualSpaces

    private struct OpenElement {
        let name: String
        /// The namespaces outside the element.
        let outerSpaces: [String: String]
    }

    /// Reads a whole document. `address` is its own address, against which relative addresses are resolved. Throws if
    /// the document is not a feed.
    package static func feed(in bytes: [UInt8], from address: String) throws(FeedError) -> Feed {
        guard bytes.count <= longestBody else { throw .tooLong }
        var parser = FeedParser(reader: FeedReader(address: address))
        return try parser.feed(in: DocumentText.decode(bytes, convert: SystemCharsets.convert))
    }

    private init(reader: FeedReader) { self.reader = reader }

    private mutating func feed(in text: String) throws(FeedError) -> Feed {
        var scanner = MarkupScanner(Array(text.utf8), keepsPrefixes: true)
        while reader.error == nil, let token = scanner.next() {
            switch token {
            case .start(let name, let attributes): start(name, attributes)
            case .end(let name): end(name)
            case .text(let text): reader.text(text)
            }
        }
        if let error = reader.error { throw error }
        guard reader.hasRoot else { throw .notAFeed(nil) }
        // The item in which the document ends may lack anything, such as the end of its address.
        var feed = reader.feed
        feed.isTruncated = !open.isEmpty
        return feed
    }

    private mutating func start(_ name: String, _ attributes: [String: String]) {
        let outerSpaces = spaces
        for (key, value) in attributes where key == "xmlns" || key.hasPrefix("xmlns:") {
            spaces[String(key.dropFirst(6))] = value
        }
        let element = FeedElement(name, in: spaces)
        if element == .item { close { $0.hasItem } }
        if element != .other { close { $0.isGathering } }
        guard open.count < Self.deepest else {
            spaces = outerSpaces
            return
        }
        open.append(OpenElement(name: name, outerSpaces: outerSpaces))
        reader.start(element, name, attributes)
        if element.isEmpty { closeLast() }
    }

    /// Ends an element, and all elements inside it. An end without a start is ignored.
    private mutating func end(_ name: String) {
        guard let place = open.lastIndex(where: { $0.name == name }) else { return }
        while open.count > place { closeLast() }
    }

    private mutating func close(while isWanted: (FeedReader) -> Bool) {
        while !open.isEmpty, isWanted(reader) { closeLast() }
    }

    private mutating func closeLast() {
        guard let last = open.popLast() else { return }
        reader.end()
        spaces = last.outerSpaces
    }
}
