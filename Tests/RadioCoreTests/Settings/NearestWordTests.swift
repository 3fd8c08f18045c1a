// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@Suite struct NearestWordTests {
    private static let known = ["monday", "sunday", "tuesday", "mon", "sun", "Europe/Berlin"]

    @Test(
        "The nearest known word is at most two edits and at most half of the letters away",
        arguments: [
            ("monday", "monday"), ("moday", "monday"), ("Munday", "monday"), ("mnoday", "monday"), ("sundya", "sunday"),
            ("tusday", "tuesday"), ("teusdya", "tuesday"), ("mn", "mon"), ("moon", "mon"), ("mno", "mon"),
            ("europe/berlin", "Europe/Berlin"), ("Erope/Berln", "Europe/Berlin"), ("xonx", "mon"),
            ("foo", nil), ("", nil), ("m", nil), ("mondayyyy", nil), ("Paris", nil), ("xxnday", "monday"),
            ("Europe_Berlin", "Europe/Berlin"), (String(repeating: "a", count: 101), nil),
        ] as [(String, String?)])
    func distance(word: String, nearest: String?) {
        #expect(NearestWord.nearest(to: word, in: Self.known) == nearest)
    }
}
