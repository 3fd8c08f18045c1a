// SPDX-License-Identifier: MIT

import RadioFormats

/// What tells an item from all others, today and after it was read anew: what positions are remembered by.
///
/// It holds no user, no password and no signature of an address, as it is written to a file.
package struct ItemKey: Hashable, Sendable {
    /// At most ``longest`` bytes and a few.
    package let text: String

    static let longest = 512
    /// A shorter `guid`, such as `17`, is not the only one of its kind in the world.
    private static let leastUnique = 16

    /// An item of a feed that gives it a `guid`. One that is long enough is taken alone, so that it survives a move of
    /// the feed; another one counts in its feed only.
    package init(guid: String, feed address: String) {
        let guid = guid.hasPrefix("http://") || guid.hasPrefix("https://") ? Self.plain(guid) : guid
        let isUnique = guid.utf8.count >= Self.leastUnique
        self.init("guid:" + guid + (isUnique ? "" : " " + Self.plain(address)))
    }

    /// Something that has an address. The query may be what tells episodes apart, so it stays, but for what only opens
    /// the door or counts visitors.
    package init(address: String) {
        self.init("url:" + Self.plain(address))
    }

    /// A file; with its size, so that another file under the name begins at its start.
    package init(path: String, size: Int64?) {
        self.init("file:" + (size.map { "\($0):" } ?? "") + path)
    }

    /// A key as it was written.
    package init(written text: String) {
        self.init(text)
    }

    private init(_ text: String) {
        guard text.utf8.count > Self.longest + Self.digestLength else {
            self.text = text
            return
        }
        self.text = text.cut(toBytes: Self.longest) + "#" + Self.digest(text)
    }

    private static func plain(_ address: String) -> String {
        var url = URLReference(address)
        url.authority = url.authority?.split(separator: "@", omittingEmptySubsequences: false).last?.lowercased()
        url.fragment = nil
        let kept = url.query?.split(separator: "&").filter { !isPassing($0) } ?? []
        url.query = kept.isEmpty ? nil : kept.joined(separator: "&")
        return url.text
    }

    private static func isPassing(_ parameter: Substring) -> Bool {
        let name = parameter.prefix { $0 != "=" }.lowercased()
        return passing.contains(name) || passingPrefixes.contains { name.hasPrefix($0) }
    }

    private static let passing: Set<String> = [
        "access_token", "apikey", "api_key", "auth", "authorization", "awsaccesskeyid", "expires", "exp", "hmac",
        "jwt", "key", "key-pair-id", "listeningsessionid", "nonce", "pass", "password", "policy", "secret", "session",
        "sessionid", "sid", "sig", "signature", "token", "user", "username",
    ]
    private static let passingPrefixes = ["utm_", "x-amz-", "x-goog-"]

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
