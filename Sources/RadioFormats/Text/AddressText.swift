// SPDX-License-Identifier: MIT

/// An address as entered by a user: any text, which need not be a valid URL.
package struct AddressText: Sendable {
    let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Whether the text begins with a scheme and `://`; otherwise it is a file path.
    package var isAddress: Bool {
        guard let first = text.utf8.first, first.isLetter else { return false }
        return Self.endOfScheme(Array(text.utf8)) > 0
    }

    /// The address for display: without user name, password, query and fragment, which may hold credentials. When in
    /// doubt, it removes more rather than less. A secret in the path cannot be recognised.
    package var redacted: String {
        let bytes = Array(text.utf8)
        let start = Self.endOfScheme(bytes)
        let host = Self.beginOfHost(bytes[start...], scheme: bytes[..<start])
        let kept = bytes[..<start] + bytes[host...].prefix { !Self.endsPath($0) }
        return String(decoding: kept.map { $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    }

    /// A key for comparing addresses: without user, password and fragment, and without query items for access or
    /// tracking. The rest of the query is kept because it may distinguish episodes.
    package var identity: String {
        var url = URLReference(text)
        url.authority = url.authority?.split(separator: "@", omittingEmptySubsequences: false).last?.lowercased()
        url.fragment = nil
        let kept = url.query?.split(separator: "&").filter { !Self.isPassing($0) } ?? []
        url.query = kept.isEmpty ? nil : kept.joined(separator: "&")
        return url.text
    }
}

// MARK: - Redaction

extension AddressText {
    /// The index after `://`; 0 if the text does not begin with a scheme.
    private static func endOfScheme(_ bytes: [UInt8]) -> Int {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(colon + 1)...].starts(with: "//".utf8),
            bytes[..<colon].allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
        else { return 0 }
        return colon + 3
    }

    /// The index of the host, after a user and password that may contain unescaped reserved characters.
    private static func beginOfHost(_ bytes: ArraySlice<UInt8>, scheme: ArraySlice<UInt8>) -> Int {
        let needsHost = !scheme.isEmpty && !scheme.elementsEqual("file://".utf8)
        var rest = bytes
        while true {
            let authority = rest.prefix { $0 != UInt8(ascii: "/") && !endsPath($0) }
            let isHost = authority.isEmpty ? !needsHost : isHostAndPort(authority)
            guard let end = endOfUser(authority) ?? (isHost ? nil : endOfUser(rest)) else { return rest.startIndex }
            rest = rest[end...]
        }
    }

    /// The index after the last `@`, escaped or not.
    private static func endOfUser(_ bytes: ArraySlice<UInt8>) -> Int? {
        for index in bytes.indices.reversed() {
            if bytes[index] == UInt8(ascii: "@") { return index + 1 }
            if bytes[index...].starts(with: "%40".utf8) { return index + 3 }
        }
        return nil
    }

    /// Whether the text can be a host with an optional port, and not the beginning of `user:password@`.
    private static func isHostAndPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
            rest = bytes[(end + 1)...]
            guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return false }
        }
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let port = rest[(colon + 1)...]
        return !port.isEmpty && port.allSatisfy(\.isDigit)
    }

    private static func endsPath(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }

}

// MARK: - Identity

extension AddressText {
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
}
