// SPDX-License-Identifier: MIT

import Testing

@testable import MediaSources

struct HTMLTextTests {
    @Test(
        "A title loses its references and tags",
        arguments: [
            ("a &amp; b", "a & b"), ("AT&T", "AT&T"), ("&lt;3", "<3"), ("1 < 2 > 0", "1 < 2 > 0"),
            ("<b>x</b>y", " x y"), ("&hellip;&nbsp;&#8211;&#x2013;", "…\u{A0}––"), ("&unknown; &;", "&unknown; &;"),
            ("<unknown>x", "<unknown>x"), ("<br/>x<p class='y'>", " x "), ("&#0;&#xD800;&#x;", "&#0;&#xD800;&#x;"),
            ("<", "<"),
            ("&amp;amp;", "&amp;"),
        ])
    func plain(text: String, plain: String) {
        #expect(HTMLText.plain(text) == plain)
    }

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
