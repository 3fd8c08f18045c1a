// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@Suite struct SegmentTextTests {
    @Test(
        "A title line is split at its first dash between blanks",
        arguments: [
            ("Miles Davis - So What", "Miles Davis", "So What"),
            ("A-ha - Take On Me", "A-ha", "Take On Me"),
            ("Björk – Jóga", "Björk", "Jóga"),
            ("Sigur Rós — Hoppípolla", "Sigur Rós", "Hoppípolla"),
            ("  Blur   -  Song 2  ", "Blur", "Song 2"),
            ("Nena - 99 Luftballons - Remix", "Nena", "99 Luftballons - Remix"),
            ("The News", nil, "The News"),
            ("Ani-Malia", nil, "Ani-Malia"),
            (" - So What", nil, "So What"),
            ("Miles Davis - ", nil, "Miles Davis"),
            ("-", nil, ""),
            ("", nil, ""),
        ])
    func splitTitle(line: String, artist: String?, title: String) {
        let split = SplitTitle(line)
        #expect(split.artist == artist && split.title == title)
    }

    @Test(
        "A station gets the first of its names that is meaningful",
        arguments: [
            ("Given", "Icy", "Given"),
            (nil, "  FIP\u{0} \n Jazz ", "FIP Jazz"),
            ("  ", "no name", "radio.example/live.mp3"),
            (nil, "Unspecified name", "radio.example/live.mp3"),
            (nil, nil, "radio.example/live.mp3"),
        ])
    func stationName(given: String?, icy: String?, name: String) {
        let url = "https://user:secret@radio.example:8443/live.mp3?token=1#now"
        #expect(StationName.choose(given: given, icyName: icy, url: url) == name)
        let stated = StationName.stated(given: given, icyName: icy)
        #expect(stated == name || stated == nil && name == StationName.choose(given: nil, icyName: nil, url: url))
    }

    @Test("C10: A station name of one letter and thousands of accents is cut by bytes")
    func heapOfAccents() {
        let heap = "a" + String(repeating: "\u{301}", count: 7_000)
        for (given, icy) in [(heap, nil), (nil, heap), (nil, "b" + heap)] as [(String?, String?)] {
            let name = StationName.choose(given: given, icyName: icy, url: "http://radio.example/")
            #expect(!name.isEmpty && name.utf8.count <= 300)
        }
        #expect(StationName.choose(given: nil, icyName: nil, url: "http://radio.example/" + heap).utf8.count <= 300)
    }

    @Test(
        "A URL gives its host and path as a name, never its credentials or query",
        arguments: [
            ("http://radio.example", "radio.example"), ("http://radio.example/", "radio.example"),
            ("http://radio.example/a/b/", "radio.example/a/b"), ("http://[2001:db8::1]:8000/x", "2001:db8::1/x"),
            ("radio.example:8000/x", "radio.example/x"), ("http://a@b:c@host/x@y", "host/x@y"),
            ("http://host?x=http://other/", "host"), ("", "station"), ("http://", "station"),
        ])
    func nameFromURL(url: String, name: String) {
        #expect(StationName.choose(given: nil, icyName: nil, url: url) == name)
    }
}
