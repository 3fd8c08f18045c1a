// SPDX-License-Identifier: MIT

import Glibc

/// The numeric address of a server, and how far it reaches.
package struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Which hosts an address can belong to.
    package enum Reach: Sendable {
        /// Any host.
        case everywhere
        /// This machine or its network: loopback, private, shared and unique local addresses.
        case nearby
        /// Addresses that no station can have: link-local (where clouds keep their credentials), multicast,
        /// unspecified, broadcast.
        case never
    }

    /// The address as 4 or 16 bytes in network order.
    private let bytes: [UInt8]

    /// Reads a `sockaddr`; nil if it has another family, or is too short.
    init?(family: CInt, address: UnsafeRawBufferPointer) {
        let range: Range<Int>
        switch family {
        case AF_INET: range = 4..<8
        case AF_INET6: range = 8..<24
        default: return nil
        }
        guard address.count >= range.upperBound else { return nil }
        bytes = Array(address[range])
    }

    /// Parses a numeric address (`inet_pton`), with or without a zone.
    package init?(_ text: String) {
        let address = String(text.prefix { $0 != "%" })
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, address, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, address, &sixteen) == 1 {
            bytes = withUnsafeBytes(of: &sixteen) { Array($0) }
        } else {
            return nil
        }
    }

    /// The address of a URL's host that is known without a lookup: a numeric address, or the address of this machine
    /// for `localhost`. Nil for any other name.
    init?(host: String) {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if name == "localhost" || name.hasSuffix(".localhost") {
            self.init("127.0.0.1")
        } else {
            self.init(name.hasPrefix("[") ? String(name.dropFirst().prefix { $0 != "]" }) : name)
        }
    }

    package var reach: Reach {
        bytes.count == 4 ? Self.reach(ofV4: bytes[...]) : reachOfV6
    }

    /// The address in its usual notation (`inet_ntop`).
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The address as it is written in a URL: an IPv6 address stands in brackets.
    var hostOfURL: String { bytes.count == 4 ? description : "[\(description)]" }

    private static func reach(ofV4 bytes: ArraySlice<UInt8>) -> Reach {
        let (first, second) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
        switch (first, second) {
        case (0, _), (169, 254), (224..., _): return .never
        case (10, _), (127, _), (172, 16...31), (192, 168), (100, 64...127), (198, 18...19): return .nearby
        case (192, 0) where bytes[bytes.startIndex + 2] == 0: return .nearby
        default: return .everywhere
        }
    }

    private var reachOfV6: Reach {
        if let embedded { return Self.reach(ofV4: embedded) }
        switch (bytes[0], bytes[1]) {
        case (0, 0) where bytes.dropLast().allSatisfy { $0 == 0 }: return bytes[15] == 1 ? .nearby : .never
        case (0xfe, 0x80...0xbf), (0xff, _): return .never
        case (0xfc...0xfd, _), (0xfe, 0xc0...): return .nearby
        default: return .everywhere
        }
    }

    /// The IPv4 address inside an IPv6 address: mapped, translated (64:ff9b::/96) or 6to4 (2002::/16).
    private var embedded: ArraySlice<UInt8>? {
        if bytes.starts(with: [0x20, 0x02]) { return bytes[2..<6] }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
        let translated: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
        return bytes.starts(with: mapped) || bytes.starts(with: translated) ? bytes[12...] : nil
    }
}
