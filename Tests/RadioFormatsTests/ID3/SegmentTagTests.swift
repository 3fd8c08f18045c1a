// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

struct SegmentTagTests {
    @Test("B67: Titles of segments are found in all forms that stations use") func titles() {
        let cases: [([[UInt8]], String?)] = [
            ([text("TIT2", "Song"), text("TPE1", "Artist")], "Artist - Song"),
            ([text("TIT2", "Artist - Song")], "Artist - Song"),
            ([text("TPE1", "Artist")], nil),
            ([user("StreamTitle", "Artist - Song")], "Artist - Song"),
            ([user("Title", "Song"), user("ARTIST", "Artist")], "Artist - Song"),
            ([user("cue_title", "Song"), user("track_artist_name", "Artist")], "Artist - Song"),
            ([user("adr", "256"), user("metadata", #"{"title": "Song", "artist": "Artist"}"#)], "Artist - Song"),
            ([text("TIT2", #"{"title": "Show", "id": 7}"#)], "Show"),
            ([text("TIT2", "{no object")], "{no object"),
            ([user("", #"title="Song",artist="Artist",url="song_spot=\"M\"""#)], "Artist - Song"),
            ([text("TIT2", #"text="Spot" song_spot="T""#)], "Advert: Spot"),
            ([text("TIT2", "A\u{202E}\u{7}B &amp; C")], "AB & C"),
            ([text("TIT2", ""), user("StreamTitle", "Song")], "Song"),
            ([user("adr", "256")], nil), ([], nil),
        ]
        for (frames, title) in cases {
            #expect(read(PackedAudioSegment.tag(frames))?.title == title, "\(title ?? "none")")
        }
    }

    @Test("B67: Pictures, their addresses and private frames are read, within limits") func pictures() {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0, 0, 1]
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 9]
        func picture(_ subject: UInt8, _ bytes: [UInt8], type: String = "image/jpeg") -> [UInt8] {
            PackedAudioSegment.tagFrame(
                "APIC", [3] + Array(type.utf8) + [0, subject] + Array("name".utf8) + [0] + bytes)
        }
        let tag = read(
            PackedAudioSegment.tag([
                picture(3, [1]), picture(4, png), picture(3, jpeg), picture(3, png),
                PackedAudioSegment.tagFrame("PRIV", Array("radio.example".utf8) + [0, 1, 2]),
                PackedAudioSegment.timeFrame(1 << 33 | 42),
                link("artworkURL_640x", "https://radio.example/a.jpg"), link("homepage", "https://radio.example/"),
            ]))
        #expect(tag?.picture?.type == "image/jpeg" && tag?.picture?.bytes == jpeg)
        #expect(tag?.pictureAddress == "https://radio.example/a.jpg")
        let first = tag?.privateFrames.first
        #expect(first?.owner == "radio.example" && first?.data == [1, 2])
        #expect(tag?.time == .mpeg(42))

        let wide = PackedAudioSegment.tagFrame(
            "APIC", [1] + Array("image/jpeg".utf8) + [0, 3, 0xFF, 0xFE, 65, 0, 0, 0] + png)
        // What the bytes are counts, not what the tag says of them.
        #expect(read(PackedAudioSegment.tag([wide]))?.picture?.type == "image/png")
        #expect(read(PackedAudioSegment.tag([picture(3, jpeg, type: "text/html")]))?.picture?.type == "image/jpeg")
        let long = picture(3, jpeg + [UInt8](repeating: 1, count: SegmentTag.longestPicture))
        let page = picture(3, Array("<html>".utf8))
        #expect(read(PackedAudioSegment.tag([long, page, picture(3, [0xFF, 0xD8]), picture(3, [])]))?.picture == nil)
        #expect(read(PackedAudioSegment.tag([link("artwork", "javascript:alert(1)")]))?.pictureAddress == nil)
        #expect(
            read(PackedAudioSegment.tag([user("track_cover_url", "http://radio.example/1")]))?.pictureAddress
                == "http://radio.example/1")
        let many = [[UInt8]](repeating: PackedAudioSegment.tagFrame("PRIV", [97, 0]), count: 500)
        #expect(read(PackedAudioSegment.tag(many))?.privateFrames.count == 16)
        let short = PackedAudioSegment.tagFrame(
            "PRIV", Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0, 1, 2])
        #expect(read(PackedAudioSegment.tag([short]))?.time == nil)
    }

    @Test("B67: Truncated and mutated tags of segments never trap") func mutated() {
        var random = SplitMix64(seed: 1)
        let seed = PackedAudioSegment.tag([
            PackedAudioSegment.timeFrame(9), link("art", "http://a"), user("x", "{}"), text("TIT2", "x"),
            PackedAudioSegment.tagFrame("APIC", [1, 0, 3, 0xFF, 0xFE, 65, 0, 0, 0, 0xFF, 0xD8, 0xFF, 9]),
        ])
        for count in 0...seed.count { _ = read(Array(seed[..<count]))?.title }
        for _ in 0..<3000 {
            var bytes = seed
            for _ in 0...Int.random(in: 0..<6, using: &random) {
                bytes[Int.random(in: 3..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let tag = read(bytes)
            _ = (tag?.title, tag?.time)
        }
    }

    private func read(_ bytes: [UInt8]) -> SegmentTag? { bytes.withUnsafeBytes { SegmentTag($0) } }

    private func text(_ id: String, _ text: String) -> [UInt8] { PackedAudioSegment.text(id, text) }

    private func user(_ name: String, _ value: String) -> [UInt8] { text("TXXX", "\(name)\u{0}\(value)") }

    private func link(_ name: String, _ address: String) -> [UInt8] {
        PackedAudioSegment.tagFrame("WXXX", [0] + Array("\(name)\u{0}\(address)".utf8))
    }
}
