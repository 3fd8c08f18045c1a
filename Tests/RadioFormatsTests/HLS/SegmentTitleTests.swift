// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

struct SegmentTitleTests {
    @Test(
        "A title is read from any form, repaired and cleaned",
        arguments: [
            ("Artist - Title", "Artist - Title"), ("Jack &amp; Kate  -\tSong", "Jack & Kate - Song"),
            (#"title="Song",artist="Ann, Bob",url="song_spot=\"M\" length=\"00:03:20\"""#, "Ann, Bob - Song"),
            (#"title="Song",artist="",url="song_spot=\"F\" spotInstanceId=\"-1\"""#, "Song"),
            ("title=Song,artist=Ann", "Ann - Song"), ("artist=Ann,title=Hello, World", "Ann - Hello, World"),
            ("Title=Song", "Song"), (#""The Show",b=100,c="zc4732""#, "The Show"), (#""Quoted"#, #""Quoted"#),
            ("title = of a song", "title = of a song"), ("E=mc2", "E=mc2"), ("\u{1b}[2JSong", "[2JSong"),
            ("Chart.mp3 of the week", "Chart.mp3 of the week"),
        ])
    func forms(_ info: String, text: String) {
        let title = SegmentTitle(info: info)
        #expect(title.text == text && !title.isAdvert && title.artwork == nil)
    }

    @Test(
        "Remarks of programs and file names are no titles",
        arguments: [
            nil, "", " ", "no desc", "No Desc", "-", "segment-12.ts", "a/b.aac", "x.m4s",
            #"title="",artist="",url="song_spot=\"M\"""#, "\u{1}",
        ])
    func fillers(_ info: String?) {
        #expect(SegmentTitle(info: info) == SegmentTitle(info: nil) && SegmentTitle(info: info).text == nil)
    }

    @Test(
        "A spot of traffic is an advert, unless it says that it has no advert's number",
        arguments: [
            (#"song_spot=\"T\" spotInstanceId=\"46787245\""#, true), (#"song_spot=\"T\""#, true),
            (#"song_spot=\"T\" spotInstanceId=\"-1\" cartcutId=\"7285969001\""#, true),
            (#"song_spot=\"T\" spotInstanceId=\"-1\" cartcutId=\"\""#, false),
            (#"song_spot=\"T\" spotInstanceId=\"-1\" cartcutId=\"0\" length=\"04:00:00\""#, false),
            (#"song_spot=\"T\" spotInstanceId=\"0\""#, false), (#"song_spot=\"O\" spotInstanceId=\"5\""#, true),
            (#"song_spot=\"F\" spotInstanceId=\"55193\""#, false), (#"song_spot=\"M\" cartcutId=\"701645\""#, false),
        ])
    func adverts(_ fields: String, isAdvert: Bool) {
        let title = SegmentTitle(info: #"title="A",artist="B",url=""# + fields + "\"")
        #expect(title.isAdvert == isAdvert && title.text == (isAdvert ? "Advert: B - A" : "B - A"))
    }

    @Test(
        "Artwork is an address of the web, or nothing",
        arguments: [
            (
                "https://i.example/t/1?ops=fit(400,400),format(%22jpeg%22)",
                "https://i.example/t/1?ops=fit(400,400),format(%22jpeg%22)"
            ),
            ("null", nil), ("", nil), ("/", nil), ("https:///v3/1", nil), ("javascript:alert(1)", nil),
        ])
    func artwork(_ address: String, expected: String?) {
        let info = #"title="A",artist="B",url="song_spot=\"M\" amgArtworkURL=\""# + address + #"\" TPID=\"1\"""#
        #expect(SegmentTitle(info: info).artwork == expected)
    }
}
