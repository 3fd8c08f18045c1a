// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import RadioCore
import RadioFormats

/// The instant with whose audio a client wants to begin: `?from=INSTANT`.
enum PastWish: Hashable {
    case at(WallInstant)
    /// So long before now.
    case ago(Duration)

    /// Why a text is no instant. The description is the answer to the client.
    struct ParseError: Error, Hashable, CustomStringConvertible {
        var description: String {
            "from is an instant such as 2026-11-21T12:22:55Z, a number of seconds since 1970, or a time back such as -5m"
        }
    }

    /// Returns nil if the request does not say.
    init?(_ head: HTTPRequestHead) throws(ParseError) {
        guard let text = head.target.queryValue("from") else { return nil }
        self = try PastWish(parsing: text)
    }

    /// Reads RFC 3339, Unix seconds with any number of decimals, or a minus sign with a duration.
    init(parsing text: String) throws(ParseError) {
        if text.hasPrefix("-") {
            guard let time = try? HumanDuration.parse(String(text.dropFirst())) else { throw ParseError() }
            self = .ago(time)
        } else if let instant = CivilTime(rfc3339: text)?.instant ?? Self.instant(unixSeconds: text) {
            self = .at(instant)
        } else {
            throw ParseError()
        }
    }

    private static func instant(unixSeconds text: String) -> WallInstant? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }), let whole = parts.first,
            let seconds = Int64(String(Substring(whole))), seconds <= lastSecond
        else { return nil }
        // Nine digits are nanoseconds; further ones are dropped.
        let digits = parts.count > 1 ? Array(parts[1].prefix(9)) : []
        let fraction = (0..<9).reduce(Int64(0)) {
            $0 * 10 + ($1 < digits.count ? Int64(digits[$1] - UInt8(ascii: "0")) : 0)
        }
        return WallInstant(nanoseconds: seconds * 1_000_000_000 + fraction)
    }

    /// In the year 2261.
    private static let lastSecond: Int64 = 9_200_000_000

    func instant(_ now: WallInstant) -> WallInstant {
        switch self {
        case .at(let instant): instant
        case .ago(let time): now - time
        }
    }
}
