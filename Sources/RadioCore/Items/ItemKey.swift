// SPDX-License-Identifier: MIT

import RadioFormats

/// Identifies an item, in this run and later ones: the key under which its position is remembered.
///
/// Keys are written to a file, and any part of an address may be secret, even its path, so an item on the web is
/// identified by a digest alone. That hides addresses that cannot be guessed; anyone who knows an address can find out
/// whether it was heard.
package struct ItemKey: Hashable, Sendable {
    /// At most ``longest`` bytes and a digest.
    package let text: String

    static let longest = 512
    /// A shorter `guid`, such as `17`, is not globally unique.
    private static let leastUnique = 16

    /// The key of a feed's item that has a `guid`. A long `guid` stands alone, so that the key survives a move of the
    /// feed; a short `guid` counts only together with the feed's address.
    package init(guid: String, feed address: String) {
        let guid = guid.hasPrefix("http://") || guid.hasPrefix("https://") ? AddressText(guid).identity : guid
        let isUnique = guid.utf8.count >= Self.leastUnique
        self.init(plain: Self.guid + guid + (isUnique ? "" : " " + AddressText(address).identity))
    }

    /// The key of an item that has an address.
    package init(address: String) {
        self.init(plain: Self.address + AddressText(address).identity)
    }

    /// The key of a file. It includes the size, so that another file of the same name begins at its start.
    package init(path: String, size: Int64?) {
        self.init("file:" + (size.map { "\($0):" } ?? "") + path)
    }

    /// The key of a list of the items in these sources: addresses, and paths from the root.
    package init(list sources: [String]) {
        let names = sources.map { URLReference($0).isWebAddress ? AddressText($0).identity : $0 }
        self.init(digesting: "list:" + names.joined(separator: "\n"))
    }

    /// Reads a stored key. Earlier versions stored the keys of items on the web as plain text.
    package init(written text: String) {
        if text.hasPrefix(Self.address) || text.hasPrefix(Self.guid) {
            self.init(plain: text)
        } else {
            self.init(text)
        }
    }

    private init(plain text: String) {
        self.init(digesting: Self.bounded(text))
    }

    private init(digesting text: String) {
        self.init("web:" + SHA256.hexadecimal(of: text.utf8, bits: 128))
    }

    private init(_ text: String) {
        self.text = Self.bounded(text)
    }

    private static let address = "url:"
    private static let guid = "guid:"

    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > longest + digestLength else { return text }
        return text.cut(toBytes: longest) + "#" + digest(text)
    }

    /// FNV-1a, 64 bits: tells long keys with the same beginning apart.
    private static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash.sixteenDigits
    }

    /// Includes the `#` before the digest.
    private static let digestLength = 17
}
