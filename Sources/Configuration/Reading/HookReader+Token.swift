// SPDX-License-Identifier: MIT

import RadioFormats

// The token of a hook's request.
extension HookReader {
    private static let requestKeys = [HookKey.post, HookKey.postFile, HookKey.postCredential, HookKey.ntfy]

    /// The token of the request; nil without one. `keys`: the keys of the hook's action.
    func token(for keys: [ConfigurationKey], _ action: HookSettings.Action?) -> String? {
        let secret = SecretReader(
            reader: reader, table: table, file: HookKey.tokenFile, credential: HookKey.tokenCredential)
        let bytes = secret.read()
        guard let key = secret.given.first else { return nil }
        let request = keys.first(where: Self.requestKeys.contains)
        if request == nil {
            table.fault(key, "it requires \(HookKey.post.name) or \(HookKey.ntfy.name)")
        }
        if let request, let url = action?.url, URLReference(url).hasUser {
            table.fault(key, "cannot be combined with a user in \(request.name)")
        }
        guard let bytes else { return nil }
        return table.parsed(key) { _ in try BearerToken.parse(bytes) }
    }
}

/// Tokens that are sent unencoded in an `Authorization` field (RFC 6750).
enum BearerToken {
    /// Why a secret is not a token. The description does not quote the secret.
    struct ParseError: SafelyWorded, Hashable, Sendable, CustomStringConvertible {
        var description: String { "a token may contain only ASCII letters, digits and punctuation, and no blanks" }
    }

    static func parse(_ bytes: [UInt8]) throws(ParseError) -> String {
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw ParseError() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
