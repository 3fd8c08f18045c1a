// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct ICYMetadataTests {
    private func block(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
    }

    private func title(_ text: String) -> String? {
        ICYMetadata(block(text)).title.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "Titles are read from well-formed and from malformed blocks",
        arguments: [
            ("StreamTitle='Artist - Title';", "Artist - Title"),
            ("StreamTitle='Artist - Title';StreamUrl='http://a/b?c=d;e';", "Artist - Title"),
            ("StreamTitle='';StreamUrl='';", ""),
            // These titles contain apostrophes, semicolons and quotes, alone and together.
            ("StreamTitle='Guns N' Roses - Sweet Child O' Mine';", "Guns N' Roses - Sweet Child O' Mine"),
            ("StreamTitle='Don't; won't';StreamUrl='';", "Don't; won't"),
            ("StreamTitle='The 'best'; of 1999';StreamUrl='';", "The 'best'; of 1999"),
            ("StreamTitle='''';", "''"),
            ("StreamTitle='a=b';", "a=b"),
            (#"StreamTitle='text="Song" song_spot="M";x';"#, #"text="Song" song_spot="M";x"#),
            // These titles are never closed, or are closed without a semicolon.
            ("StreamTitle='Artist - Title", "Artist - Title"),
            ("StreamTitle='Artist - Title'", "Artist - Title"),
            ("StreamTitle='Artist - Title;StreamUrl='http://a';", "Artist - Title"),
            // These titles are quoted in other ways.
            (#"StreamTitle="Artist - 'Title'";StreamUrl="";"#, "Artist - 'Title'"),
            ("StreamTitle=Artist - Title;StreamUrl=http://a;", "Artist - Title"),
            ("StreamTitle=Artist; Title", "Artist; Title"),
            ("StreamTitle='Title'; StreamUrl='';", "Title"),
            ("streamtitle='Title';", "Title"),
            // In these blocks, other keys come first, or stale text follows a NUL.
            ("adw_ad='true';durationMilliseconds='1000';StreamTitle='Spot';", "Spot"),
            ("StreamTitle='New';\0e of old';", "New"),
            ("StreamTitle='Two\nlines';", "Two\nlines"),
        ])
    func titles(_ text: String, _ expected: String) {
        #expect(title(text) == expected)
    }

    @Test(
        "No title is read from a block that has none",
        arguments: ["", "\0\0\0", "no metadata at all", "=';", "'';';", "Stream Title='x';", "<html>"])
    func noTitle(_ text: String) {
        #expect(title(text) == nil)
    }

    @Test("The stale end of the previous block is not part of a title") func staleEnd() {
        let before = block("StreamTitle='A long title of a song';")
        let after = block("StreamTitle='Short';title of a song';")
        #expect(before.count == after.count)
        #expect(ICYMetadata(after, after: before).title == Array("Short".utf8))
        #expect(ICYMetadata(after).title == Array("Short';title of a song".utf8), "it cannot be known")

        let repeated = block("StreamTitle='The 'best'; of 1999';")
        #expect(ICYMetadata(repeated, after: repeated).title == Array("The 'best'; of 1999".utf8))
    }

    @Test("All fields of a block are kept in order") func fields() {
        let metadata = ICYMetadata(block("StreamTitle='T';StreamUrl='http://a/?x=';y=1';adId=7;"))
        #expect(metadata.fields.map(\.key) == ["StreamTitle", "StreamUrl", "y", "adId"])
        #expect(ICYMetadata(block("StreamTitle='T';StreamUrl='http://a/';")).url == Array("http://a/".utf8))
    }

    @Test("Any bytes can be read safely as a metadata block") func randomBytes() {
        var generator = SplitMix64(seed: 9)
        let alphabet = Array("StreamTitle='';\"= \0\u{1b}é".utf8) + [0xff]
        var previous: [UInt8]?
        for _ in 0..<3000 {
            var bytes = Array("StreamTitle='".utf8)
            for _ in 0..<Int.random(in: 0...60, using: &generator) {
                bytes.append(alphabet.randomElement(using: &generator) ?? 0)
            }
            let metadata = ICYMetadata(bytes, after: previous)
            #expect(metadata.title != nil)
            previous = bytes
        }
    }

    @Test("A full block of quotes is read in reasonable time") func quotes() {
        let bytes = Array("StreamTitle='".utf8) + (0..<2033).flatMap { _ in Array("';".utf8) }
        #expect(ICYMetadata(bytes).title?.count == bytes.count - 13 - 2)
    }
}
