// SPDX-License-Identifier: MIT

import HTTPServer
import RadioFormats

/// Identifies a relay: a random number, one per process.
///
/// Each relay that passes a request on adds its own ID to the `Via` field (RFC 9110, section 7.6.3): `1.1 aircheck-`
/// and the number as 16 hexadecimal digits. If a relay served a request that contains its own ID, it would feed itself.
package struct RelayID: Hashable, Sendable {
    private let number: UInt64

    private static let prefix = "aircheck-"
    private static let digits = 16
    /// The maximum number of hops read from a request and of hops passed on; no tree of relays has more.
    static let mostHops = 32

    /// Creates a random ID.
    package init() {
        number = .random(in: .min ... .max)
    }

    /// Parses the output of ``description``.
    init?(_ text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix), text.utf8.count == Self.prefix.utf8.count + Self.digits,
            let number = UInt64(text.dropFirst(Self.prefix.count), radix: 16)
        else { return nil }
        self.number = number
    }

    /// The relays that a request passed through. Hops of other programs are ignored.
    static func hops(of head: HTTPRequestHead) -> [RelayID] {
        let entries = head.fields.filter { $0.name == "via" }.flatMap { $0.value.split(separator: ",") }
        // An entry consists of protocol, name and an optional comment.
        let names = entries.compactMap { $0.split(separator: " ").dropFirst().first }
        return Array(names.compactMap { RelayID($0) }.prefix(mostHops))
    }

    /// The value of `Via` for a request that passed through `hops`, in order.
    static func via(_ hops: [RelayID]) -> String {
        hops.map { "1.1 \($0)" }.joined(separator: ", ")
    }
}

extension RelayID: CustomStringConvertible {
    package var description: String {
        Self.prefix + number.sixteenDigits
    }
}
