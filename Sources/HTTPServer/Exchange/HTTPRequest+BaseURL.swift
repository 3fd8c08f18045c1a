// SPDX-License-Identifier: MIT

extension HTTPRequest {
    /// The scheme, host and port by which the client reached us, so that they work for it; nil if unknown.
    ///
    /// Only a trusted proxy's statement of the requested address counts (`X-Forwarded-Proto`, `X-Forwarded-Host`).
    var baseURL: String? {
        let forwardedHost = isFromProxy ? head["x-forwarded-host"].flatMap(Self.first) : nil
        guard let host = forwardedHost ?? head["host"], !host.isEmpty else { return nil }
        let isSecure = isFromProxy && head["x-forwarded-proto"].flatMap(Self.first)?.lowercased() == "https"
        return (isSecure ? "https://" : "http://") + host
    }

    /// The first item of a list; nil if it has characters that a URL's host and port cannot have.
    private static func first(_ list: String) -> String? {
        let item = list.prefix { $0 != "," }.filter { $0 != " " }
        let isPlain = item.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: ".-_:[]".utf8.contains(byte)
            }
        }
        return item.isEmpty || !isPlain ? nil : item
    }
}
