// SPDX-License-Identifier: MIT

import RadioFormats

/// What tells an item from all others, today and after it was read anew: what positions are remembered by.
///
/// It is written to a file, and any part of an address may be a secret, also its path: what is on the web is known by a
/// digest alone. That hides what nobody can guess; whoever knows an address finds out whether it was heard.
package struct ItemKey: Hashable, Sendable {
    /// At most ``longest`` bytes and a few.
    package let text: String

    static let longest = 512
    /// A shorter `guid`, such as `17`, is not the only one of its kind in the world.
    private static let leastUnique = 16

    /// An item of a feed that gives it a `guid`. One that is long enough is taken alone, so that it survives a move of
    /// the feed; another one counts in its feed only.
    package init(guid: String, feed address: String) {
        let guid = guid.hasPrefix("http://") || guid.hasPrefix("https://") ? AddressText(guid).identity : guid
        let isUnique = guid.utf8.count >= Self.leastUnique
        self.init(plain: Self.guid + guid + (isUnique ? "" : " " + AddressText(address).identity))
    }

    /// Something that has an address.
    package init(address: String) {
        self.init(plain: Self.address + AddressText(address).identity)
    }

    /// A file; with its size, so that another file under the name begins at its start.
    package init(path: String, size: Int64?) {
        self.init("file:" + (size.map { "\($0):" } ?? "") + path)
    }

    /// A key as it was written; keys of the web were once written plain.
    package init(written text: String) {
        if text.hasPrefix(Self.address) || text.hasPrefix(Self.guid) {
            self.init(plain: text)
        } else {
            self.init(text)
        }
    }

    private init(plain text: String) {
        self.init("web:" + SHA256.hexadecimal(of: Self.bounded(text).utf8, bits: 128))
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

    /// FNV-1a, 64 bits: long keys that begin alike are told apart.
    private static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// The sign before it included.
    private static let digestLength = 17
}
