// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import Relay

/// `?from=INSTANT`, as text.
struct PastWishTests {
    private static let now = WallInstant(nanoseconds: 1_790_000_000_000_000_000)

    @Test(
        "An instant is RFC 3339, Unix seconds with any decimals, or a time back",
        arguments: [
            ("2026-09-21T14:13:20Z", 1_790_000_000_000_000_000), ("2026-09-21t14:13:20.25z", 1_790_000_000_250_000_000),
            ("2026-09-21 16:13:20.000000001+02:00", 1_790_000_000_000_000_001),
            ("1790000000", 1_790_000_000_000_000_000), ("1790000000.5", 1_790_000_000_500_000_000),
            ("1790000000.0000000019", 1_790_000_000_000_000_001), ("0", 0), ("0000000000000.25", 250_000_000),
            ("9200000000", 9_200_000_000_000_000_000), ("-30s", 1_789_999_970_000_000_000),
            ("-30m", 1_789_998_200_000_000_000), ("-1h30m", 1_789_994_600_000_000_000),
            ("-250ms", 1_789_999_999_750_000_000), ("-100000d", -6_850_000_000_000_000_000),
        ] as [(String, Int64)])
    func instants(text: String, nanoseconds: Int64) throws {
        #expect(try PastWish(parsing: text).instant(Self.now) == WallInstant(nanoseconds: nanoseconds))
    }

    @Test(
        "Anything else is malformed",
        arguments: [
            "", " ", "-", "--5s", "-5", "5s", "+5s", "-0s", "-5 s", "-1.5h", "-5x", "now", "live", "show", "title",
            "nan",
            "inf", "1e9", "0x10", "1790000000.", ".5", "1.2.3", "1,5", "1790000000Z", "9200000001",
            "99999999999999999999", "2026-09-21", "2026-09-21T14:13:20", "2026-13-01T00:00:00Z", "2026-09-21T24:61:00Z",
            "2026-09-21T14:13:20ZZ", "-999999999999d", "１７９０", "-30s\0", "1790000000\n",
            String(repeating: "9", count: 8_000), "-" + String(repeating: "9", count: 8_000) + "s",
        ])
    func malformed(text: String) {
        #expect(throws: PastWish.ParseError.self) { try PastWish(parsing: text) }
    }
}
