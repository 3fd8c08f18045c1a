// SPDX-License-Identifier: MIT

import Testing

@testable import RadioFormats

/// Titles as scripts, automation systems and advert servers send them.
struct TitleRepairTests {
    @Test(
        "C22: References and tags of HTML are resolved, also where they were escaped twice, and other text stays",
        arguments: [
            ("Jan Kowalski - Bielszy odcie&#324; bluesa", "Jan Kowalski - Bielszy odcień bluesa"),
            ("Jack &amp; Kate - It&#39;s Fine", "Jack & Kate - It's Fine"),
            ("Caf&eacute; &quot;Noir&quot; - D&#xE9;j&agrave; vu", "Café \"Noir\" - Déjà vu"),
            ("A &amp;amp; B - &amp;#39;C", "A & B - 'C"), ("Tom&#8217;s &#146;n&#x92; more", "Tom’s ’n’ more"),
            ("&Lstrok;&oacute;d&zacute; - &Omega;&alpha;", "Łódź - Ωα"), ("AT&T - R&B", "AT&T - R&B"),
            ("a &lt;3 b", "a <3 b"), ("1 < 2 > 0", "1 < 2 > 0"), ("<b>x</b><br/>y", "x y"),
            ("&bogus; &;", "&bogus; &;"),
            ("&#0;&#xD800;&#x;&#128512;", "&#0;&#xD800;&#x;😀"), ("x &ampersand", "x &ampersand"), ("&", "&"),
        ])
    func html(text: String, title: String) {
        #expect(TitleText.repaired(text) == title)
    }

    @Test(
        "C22: The artist and the title are taken out of automation fields",
        arguments: [
            (
                "Taio Cruz - text=\"Dynamite\" song_spot=\"M\" MediaBaseId=\"1785735\" length=\"00:03:20\"",
                "Taio Cruz - Dynamite"
            ),
            (
                "title=\"Last Resort\",artist=\"Papa Roach\",url=\"song_spot=\\\"M\\\" spotInstanceId=\\\"-1\\\"\"",
                "Papa Roach - Last Resort"
            ),
            ("title=\"One\",artist=\"Two\",url=\"song_spot=\"M\" MediaBaseId=\"0\"\"", "Two - One"),
            ("Artist - text=\"The 12\" Mix\" song_spot=\"M\"", "Artist - The 12\" Mix"),
            ("text=&quot;Dynamite&quot; song_spot=&quot;M&quot;", "Dynamite"),
            ("Station - text=\"News\" song_spot=\"F\" ", "Station - News"), ("a=\"b\" - c=\"d\"", "a=\"b\" - c=\"d\""),
            ("x=\"", "x=\""), ("E=mc2 - text=\"", "E=mc2 - text=\""),
        ])
    func automation(text: String, title: String) {
        #expect(TitleText.repaired(text) == title)
    }

    @Test("C22: Adverts are marked")
    func adverts() {
        #expect(TitleText.repaired(" - text=\"Spot Block End\" song_spot=\"T\"") == "Advert: Spot Block End")
        #expect(
            TitleText.repaired("Shop - text=\"Sale\" song_spot=\"C\" spotInstanceId=\"77\"") == "Advert: Shop - Sale")
        #expect(TitleText.repaired("text=\"\" song_spot=\"T\"") == "Advert")
        #expect(TitleText.advert("Advert: x") == "Advert: x" && TitleText.advert(" ") == "Advert")
        let adverts = [
            "Advert", "Advert: x", "ADVERT BREAK", "Advertisement", "adverts - back soon", "Advert\u{2013}x",
        ]
        #expect(adverts.allSatisfy { TitleText.isAdvert($0) && TitleText.advert($0) == $0 })
        #expect(
            !["", "A - Advert", "Advertising Space", "The Adverts - One Chord Wonders"].contains {
                TitleText.isAdvert($0)
            })
        func isAdvert(_ text: String) -> Bool { ICYMetadata(Array(text.utf8)).isAdvert }
        #expect(isAdvert("StreamTitle='';adw_ad='true';durationMilliseconds='30000';"))
        #expect(isAdvert("StreamTitle='x';insertionType='midroll';"))
        #expect(!isAdvert("StreamTitle='adw_ad=';adw_ad='false';") && !isAdvert("StreamTitle='x';insertionType='';"))
    }

    @Test("C22: Titles of lists are repaired in the same way")
    func lists() throws {
        let m3u = "#EXTM3U\n#EXTINF:-1,Jack &amp; Kate\nhttp://a.example/\n"
        let pls = "[playlist]\nFile1=http://a.example/\nTitle1=Jack &amp; Kate\n"
        let xspf = "<playlist><track><title>Jack &amp;amp; Kate</title><location>http://a.example/</location></track>"
        for (text, kind) in [(m3u, PlaylistKind.m3u), (pls, .pls), (xspf, .xspf)] {
            #expect(try Playlist(Array(text.utf8), kind: kind, base: "").entries.map(\.title) == ["Jack & Kate"])
        }
    }

    @Test("C22: Comments of Ogg that are not UTF-8 are read as Windows-1252")
    func comments() {
        func comments(_ title: [UInt8]) -> VorbisComment {
            let field = Array("TITLE=".utf8) + title
            return VorbisComment(parsing: ([0, 0, 0, 0, 1, 0, 0, 0, UInt8(field.count), 0, 0, 0] + field)[...])
        }
        #expect(comments([0x43, 0x61, 0x66, 0xE9]).streamTitle == "Café")
        #expect(comments(Array("Дом".utf8)).streamTitle == "Дом")
    }

    @Test("A repaired title is clean and bounded, whatever it was made of")
    func bounded() {
        for text in [
            String(repeating: "&amp;", count: 10_000), String(repeating: "a=\"", count: 10_000),
            String(repeating: "text=\"\"\"", count: 5_000), "text=\"" + String(repeating: "\"", count: 20_000),
            "&#27;[2J text=\"&#x202E;x\" song_spot=\"M\"",
        ] {
            let title = TitleText.repaired(text)
            #expect(TitleText.cleaned(title) == title && title.utf8.count <= TitleText.longest)
        }
    }
}
