// SPDX-License-Identifier: MIT

import HTTPServer

/// Tells a relay from all others: a random number, one for each process.
///
/// In the `Via` field of a request (RFC 9110, section 7.6.3) each relay on its way puts its own: `1.1 aircheck-` and
/// the number as 16 hexadecimal digits. A relay that finds its own there would be fed what it sends.
package struct RelayID: Hashable, Sendable {
    private let number: UInt64

    private static let prefix = "aircheck-"
    private static let digits = 16
    /// Of one field, and of all that are passed on: more hops than any tree of relays has.
    static let mostHops = 32

    /// A new one.
    package init() {
        number = .random(in: .min ... .max)
    }

    /// Reads what ``description`` writes.
    init?(_ text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix), text.utf8.count == Self.prefix.utf8.count + Self.digits,
            let number = UInt64(text.dropFirst(Self.prefix.count), radix: 16)
        else { return nil }
        self.number = number
    }

    /// The relays that a request has come through. Hops of other programs say nothing of a loop of ours.
    static func hops(of head: HTTPRequestHead) -> [RelayID] {
        let entries = head.fields.filter { $0.name == "via" }.flatMap { $0.value.split(separator: ",") }
        // Protocol, name, and maybe a comment.
        let names = entries.compactMap { $0.split(separator: " ").dropFirst().first }
        return Array(names.compactMap { RelayID($0) }.prefix(mostHops))
    }

    /// The field's value for a request that has come through these, in order.
    static func via(_ hops: [RelayID]) -> String {
        hops.map { "1.1 \($0)" }.joined(separator: ", ")
    }
}

extension RelayID: CustomStringConvertible {
    package var description: String {
        let hex = String(number, radix: 16)
        return Self.prefix + String(repeating: "0", count: Self.digits - hex.count) + hex
    }
}
