// SPDX-License-Identifier: MIT

/// Determines the client behind a proxy from the proxy's header fields.
///
/// The list in `X-Forwarded-For`, or in the `for` parameters of `Forwarded` (RFC 7239), is read from its end, where the
/// nearest proxy wrote. The client is the last address that is not a trusted proxy; anything before it may be forged.
/// An entry that is not an address ends the walk: the proxy that wrote it does not name its client. Only a request
/// without both fields is the proxy's own.
enum ClientAddress {
    /// The client also counts as not named if the two fields name different clients: the proxy wrote only one of the
    /// fields, the client may have sent the other, and nothing shows which is which. The same applies to a head with a
    /// fault, because the proxy may have read its fields in another way.
    static func behind(_ proxy: SocketAddress.Host, _ head: HTTPRequestHead, trusted: [IPNetwork]) -> ServedClient {
        guard head.fault == nil else { return ServedClient(proxy, isNamed: false) }
        let lists = [items(head, "x-forwarded-for"), items(head, "forwarded").map(forParameter)].filter { !$0.isEmpty }
        // Beside a field with names, one without any, for example with only the scheme, is ignored.
        let named = lists.filter { $0.contains { !$0.isEmpty } }
        let clients = Set((named.isEmpty ? lists : named).map { last($0, proxy, trusted) })
        return clients.count > 1 ? ServedClient(proxy, isNamed: false) : clients.first ?? ServedClient(proxy)
    }

    /// The last hop that is not a trusted proxy.
    private static func last(
        _ hops: [Substring], _ proxy: SocketAddress.Host, _ trusted: [IPNetwork]
    ) -> ServedClient {
        var client = proxy
        for text in hops.reversed() where trusted.contain(client) {
            guard let address = address(text) else { return ServedClient(client, isNamed: false) }
            client = address
        }
        return ServedClient(client)
    }

    /// The items of all fields with this name, in the order in which they were added.
    private static func items(_ head: HTTPRequestHead, _ name: String) -> [Substring] {
        head.fields.filter { $0.name == name }.flatMap { field in
            field.value.split(separator: ",", omittingEmptySubsequences: false).map(\.withoutBlanks)
        }
    }

    /// The value of `for` in an element of `Forwarded`, without quotes. If there is no `for`, the result is empty,
    /// which is not an address.
    private static func forParameter(_ element: Substring) -> Substring {
        for pair in element.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].withoutBlanks.lowercased() == "for" else { continue }
            let value = parts[1].withoutBlanks
            guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
            return value.dropFirst().dropLast()
        }
        return ""
    }

    /// Parses an address with an optional port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::5`, `[2001:db8::5]:80`.
    private static func address(_ text: Substring) -> SocketAddress.Host? {
        if text.hasPrefix("["), text.hasSuffix("]") { return SocketAddress.Host(text.dropFirst().dropLast()) }
        guard !text.hasPrefix("localhost") else { return nil }
        return SocketAddress.Host(text) ?? SocketAddress(String(text))?.host.unmapped
    }
}
