// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@Suite struct SegmentPolicyTests {
    @Test(
        "A policy is parsed, and printed as it was written",
        arguments: [
            ("none", SegmentPolicy.none), ("title", .title), ("1h", .period(.seconds(3600))),
            ("5s", .period(.seconds(5))),
            ("1d", .period(.seconds(86_400))),
        ])
    func parsing(text: String, policy: SegmentPolicy) throws {
        #expect(try SegmentPolicy(parsing: text) == policy)
        #expect(policy.description == text)
    }

    @Test(
        "An invalid policy is refused, and the error says what to write",
        arguments: [
            (
                "60",
                "\"60\" has no unit: write 60s for seconds, 60m for minutes or 60h for hours (or \"title\" or \"none\")"
            ),
            (
                "titles",
                "\"titles\" is not a duration: write for example 90m, 1h30m, 45s or 500ms (or \"title\" or \"none\")"
            ),
            ("999ms", "a segment must last at least one second"),
            ("25h", "a segment may last at most a day, because each midnight begins a new one; or use \"none\""),
        ])
    func invalidText(text: String, message: String) {
        let error = #expect(throws: SegmentPolicy.ParseError.self) { try SegmentPolicy(parsing: text) }
        #expect(error?.description == message)
    }
}
