// SPDX-License-Identifier: MIT

/// Who is behind a proxy, by what the proxy says.
///
/// The list of `X-Forwarded-For`, or of the `for` parameters of `Forwarded` (RFC 7239), is read from its end, where the
/// nearest proxy wrote: the client is the last address that is no trusted proxy's. Whatever stands before it may be
/// invented. What is no address ends the walk: then the proxy that said so is the client.
enum ClientAddress {
    /// Nil where both fields name somebody, and not the same client: then the proxy wrote one of them, the other may
    /// be the client's own, and nobody can tell which.
    static func behind(
        _ proxy: SocketAddress.Host, _ head: HTTPRequestHead, trusted: [IPNetwork]
    ) -> SocketAddress.Host? {
        let lists = [items(head, "x-forwarded-for"), items(head, "forwarded").map(forParameter)].filter {
            // One that names nobody, only the scheme, say, has no part in it.
            $0.contains { !$0.isEmpty }
        }
        let clients = Set(lists.map { last($0, proxy, trusted) })
        return clients.count > 1 ? nil : clients.first ?? proxy
    }

    /// The last hop that is no trusted proxy's.
    private static func last(
        _ hops: [Substring], _ proxy: SocketAddress.Host, _ trusted: [IPNetwork]
    ) -> SocketAddress.Host {
        var client = proxy
        for text in hops.reversed() {
            guard trusted.contain(client), let address = address(text) else { break }
            client = address
        }
        return client
    }

    /// The items of all fields of that name, in the order in which they were added.
    private static func items(_ head: HTTPRequestHead, _ name: String) -> [Substring] {
        head.fields.filter { $0.name == name }.flatMap { field in
            field.value.split(separator: ",", omittingEmptySubsequences: false).map(\.withoutBlanks)
        }
    }

    /// The value of `for` in one element of `Forwarded`, without quotes; empty, which is no address, where there is
    /// none.
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

    /// Reads an address with or without a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::5`, `[2001:db8::5]:80`.
    private static func address(_ text: Substring) -> SocketAddress.Host? {
        if text.hasPrefix("["), text.hasSuffix("]") { return SocketAddress.Host(text.dropFirst().dropLast()) }
        guard !text.hasPrefix("localhost") else { return nil }
        return SocketAddress.Host(text) ?? SocketAddress(String(text))?.host.unmapped
    }
}
