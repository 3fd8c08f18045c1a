// SPDX-License-Identifier: MIT

extension HTTPRequest {
    /// The scheme, host and port by which the client reached this server; nil if unknown. An address with them works
    /// for that client.
    ///
    /// Only a trusted proxy's statement counts: `X-Forwarded-Proto`, `-Host` and `-Port`. In a list, the last item is
    /// the proxy's, because each proxy appends to what the client sent.
    var baseURL: String? {
        let isSecure = forwarded("proto")?.lowercased() == "https"
        let scheme = isSecure ? "https://" : "http://"
        guard let host = forwarded("host") ?? head["host"], !host.isEmpty else { return nil }
        guard let port = forwarded("port").flatMap({ UInt16($0) }), port != (isSecure ? 443 : 80), !Self.hasPort(host)
        else { return scheme + host }
        return "\(scheme)\(host):\(port)"
    }

    /// The last item of an `X-Forwarded-` field of a trusted proxy; nil if it has characters that a URL's host and port
    /// cannot have.
    private func forwarded(_ name: String) -> String? {
        guard isFromProxy, let value = head.fields.last(where: { $0.name == "x-forwarded-" + name })?.value,
            let item = value.split(separator: ",", omittingEmptySubsequences: false).last?.withoutBlanks
        else { return nil }
        let isPlain = item.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: ".-_:[]".utf8.contains(byte)
            }
        }
        return item.isEmpty || !isPlain ? nil : String(item)
    }

    /// Whether a host is followed by a port; the colons of an IPv6 address stand in brackets.
    private static func hasPort(_ host: String) -> Bool {
        host.drop { $0 != "]" }.contains(":") || (!host.hasPrefix("[") && host.contains(":"))
    }
}
