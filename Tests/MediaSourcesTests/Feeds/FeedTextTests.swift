// SPDX-License-Identifier: MIT

import Testing

@testable import MediaSources

struct FeedTextTests {
    @Test(
        "Durations are read in the forms that podcasts use",
        arguments: [
            ("3600", 3_600.0), (" 59:59\n", 3_599), ("1:02:03", 3_723), ("62.5", 62.5), ("00:62:03", 3_723),
            ("0:30", 30),
        ])
    func duration(text: String, seconds: Double) {
        #expect(FeedText.duration(text) == .seconds(seconds))
    }

    @Test(
        "A text that is no duration gives none",
        arguments: ["", "0", "00:00", "-5", "1:2:3:4", "abc", "1e9", "99999999999", "1.5:30", "5 min", ":", "1:"])
    func noDuration(text: String) {
        #expect(FeedText.duration(text) == nil)
    }
}
