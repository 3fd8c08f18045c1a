// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@Suite struct HumanDurationTests {
    @Test(
        "A duration is parsed from numbers with units",
        arguments: [
            ("1h30m", 5_400_000), ("45s", 45_000), ("500ms", 500), ("90m", 5_400_000), ("2d", 172_800_000),
            ("1d2h3m4s5ms", 93_784_005), ("007s", 7000), ("1h0m", 3_600_000),
        ])
    func parsing(text: String, milliseconds: Int64) throws {
        #expect(try HumanDuration.parse(text) == .milliseconds(milliseconds))
    }

    @Test(
        "An invalid duration is refused, and the error says what to write",
        arguments: [
            ("", "a duration is missing: write for example 90m, 1h30m, 45s or 500ms"),
            ("90", "\"90\" has no unit: write 90s for seconds, 90m for minutes or 90h for hours"),
            ("1h30", "the last number of \"1h30\" has no unit: use d, h, m, s or ms"),
            ("3w", "\"w\" is not a unit of time: use d, h, m, s or ms"),
            ("1 h", "\" h\" is not a unit of time: use d, h, m, s or ms"),
            ("1.5h", "\"1.5h\" has a fraction: write whole numbers, as in 1h30m or 500ms"),
            ("5H", "\"H\" is not a unit of time: use d, h, m, s or ms"),
            ("30m1h", "\"30m1h\" must name each unit once, the largest first, as in 1d2h30m"),
            ("1s1s", "\"1s1s\" must name each unit once, the largest first, as in 1d2h30m"),
            ("0s", "a duration must be longer than zero"),
            ("-5s", "a duration cannot be negative"),
            ("99999999999999999999s", "the duration is too long"),
            ("106752d", "the duration is too long"),
            ("h", "\"h\" is not a duration: write for example 90m, 1h30m, 45s or 500ms"),
        ])
    func errors(text: String, message: String) {
        let error = #expect(throws: HumanDuration.ParseError.self) { try HumanDuration.parse(text) }
        #expect(error?.description == message)
    }

    @Test("Printing a duration is the inverse of parsing it") func printing() throws {
        var random = SplitMix64(seed: 2)
        for bits in 1...43 {
            for _ in 0..<50 {
                let duration = Duration.milliseconds(Int64.random(in: 1..<1 << Int64(bits), using: &random))
                #expect(try HumanDuration.parse(HumanDuration.print(duration)) == duration)
            }
        }
        #expect(HumanDuration.print(.seconds(5400)) == "1h30m")
        #expect(HumanDuration.print(.zero) == "0s")
        #expect(HumanDuration.print(.milliseconds(-90_500)) == "-1m30s500ms")
        #expect(HumanDuration.print(.nanoseconds(1)) == "0s")
        _ = HumanDuration.print(.seconds(Int64.max))
        _ = HumanDuration.print(.seconds(Int64.min))
    }
}
