// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Master playlists, and which variant is chosen.
struct HLSVariantTests {
    private static func choice(_ lines: String, _ wish: VariantWish = .best) throws -> VariantChoice? {
        try HLSText.master("#EXTM3U\n" + lines).choose(wish)
    }

    /// The shape of the BBC's lists, whose peak rates are above the names that people know.
    private static let radio = """
        #EXTM3U
        #EXT-X-VERSION:3
        ## a remark

        #EXT-X-STREAM-INF:BANDWIDTH=56000,AVERAGE-BANDWIDTH=51000,CODECS="mp4a.40.5"
        audio=48000.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=112000,AVERAGE-BANDWIDTH=102000,CODECS="mp4a.40.5"
        audio=96000.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=150000,AVERAGE-BANDWIDTH=136000,CODECS="mp4a.40.2"
        audio=128000.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=374000,AVERAGE-BANDWIDTH=340000,CODECS="mp4a.40.2"
        audio=320000.m3u8
        """

    @Test(
        "The best, the smallest, or the nearest variant is chosen",
        arguments: [
            ("best", 320), ("smallest", 48), ("96k", 96), ("128k", 128), ("128000", 128), ("320K", 320), ("1", 48),
            ("1000k", 320), ("76500", 48), ("76501", 96), ("SMALLEST", 48), ("64", 48),
        ])
    func wishes(_ text: String, kilobits: Int) throws {
        let wish = try #require(VariantWish(text))
        let choice = try #require(try HLSText.master(Self.radio).choose(wish))
        #expect(choice.url == "https://a.example/x/audio=\(kilobits)000.m3u8" && choice.alternatives.isEmpty)
        #expect(choice.rendition == nil && !choice.isMuxed)
    }

    @Test(
        "Other texts are no wish",
        arguments: ["", "k", "0", "0k", "-1", "96 k", "96kbit/s", "1.5k", "10000000000", "1000000k", "worst", "９６k"])
    func noWishes(_ text: String) {
        #expect(VariantWish(text) == nil)
    }

    @Test("Variants that are equal by what is stated are alternatives, in the list's order")
    func backups() throws {
        let lines = ["a", "b", "a", "c"].map {
            "#EXT-X-STREAM-INF:BANDWIDTH=96000,CODECS=\"mp4a.40.2\"\nhttp://\($0).example/1\n"
        }
        let others =
            "#EXT-X-STREAM-INF:BANDWIDTH=96000,CODECS=\"mp4a.40.5\"\nhe\n#EXT-X-STREAM-INF:BANDWIDTH=1000\nlow\n"
        let choice = try Self.choice(others + lines.joined(), .bitRate(96_000))
        #expect(choice?.url == "https://a.example/x/he" && choice?.alternatives == [])
        let first = try Self.choice(lines.joined() + others)
        #expect(first?.url == "http://a.example/1")
        #expect(first?.alternatives == ["http://b.example/1", "http://c.example/1"])
    }

    @Test("A variant that was chosen is found again, or is not there any more") func found() throws {
        let master = try HLSText.master(Self.radio)
        let choice = try #require(master.choose(.bitRate(128_000)))
        let moved = try HLSText.master(Self.radio.replacing("audio=", with: "https://b.example/token/"))
        #expect(moved.find(choice)?.url == "https://b.example/token/128000.m3u8")
        var less = master
        less.variants.removeAll { $0.bandwidth == 150_000 }
        #expect(less.find(choice) == nil)
    }

    @Test("Renditions of several groups are alternatives, too (redundant variants of media3)")
    func redundantRenditions() throws {
        let choice = try Self.choice(
            """
            #EXT-X-STREAM-INF:BANDWIDTH=6520800,CODECS="avc1.64002a,mp4a.40.2",RESOLUTION=1920x1080,AUDIO="one"
            /one/high.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=6520800,CODECS="avc1.64002a,mp4a.40.2",RESOLUTION=1920x1080,AUDIO="two"
            /two/high.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=1672000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,AUDIO="one"
            /one/low.m3u8
            #EXT-X-MEDIA:TYPE=AUDIO,NAME="Deutsch",DEFAULT=YES,CHANNELS="2",GROUP-ID="one",URI="/one/audio.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,NAME="Deutsch",DEFAULT=YES,CHANNELS="2",GROUP-ID="two",URI="/two/audio.m3u8"
            """)
        #expect(choice?.url == "https://a.example/one/audio.m3u8" && choice?.isMuxed == false)
        #expect(choice?.alternatives == ["https://a.example/two/audio.m3u8"] && choice?.rendition?.channels == "2")
    }

    @Test("The group of the best or smallest variant is used, with its default rendition, else its first")
    func groups() throws {
        let lines = """
            #EXT-X-MEDIA:TYPE="AUDIO",GROUP-ID="stereo",NAME="Dubbing",DEFAULT=NO,URI="stereo-dub.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="stereo",LANGUAGE="en",NAME="English",DEFAULT=YES,AUTOSELECT=YES,URI="stereo.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="surround",NAME="English",URI="surround.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="surround",NAME="Dubbing",URI="surround-dub.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="stereo",NAME="x",DEFAULT=YES,URI="subtitles.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=258157,CODECS="avc1.4d400d,mp4a.40.2",AUDIO="stereo",RESOLUTION=422x180
            250.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=1144430,CODECS="avc1.4d401f,mp4a.40.2", AUDIO="surround",RESOLUTION=958x408
            1100.m3u8
            """
        #expect(try Self.choice(lines)?.url == "https://a.example/x/surround.m3u8")
        let smallest = try Self.choice(lines, .smallest)
        #expect(smallest?.url == "https://a.example/x/stereo.m3u8" && smallest?.rendition?.language == "en")
        #expect(smallest?.rendition?.isAutoselected == true)
    }

    @Test("Audio alone comes before audio with a picture, and of pictures the smallest is chosen")
    func pictures() throws {
        let muxed = """
            #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.4D0020,mp4a.40.2",RESOLUTION=1280x720,VIDEO="720"
            720.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=284x160,VIDEO="160"
            160.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=600000,VIDEO="320"
            320.m3u8

            """
        for wish in [VariantWish.best, .smallest, .bitRate(3_000_000)] {
            let choice = try Self.choice(muxed, wish)
            #expect(choice?.url == "https://a.example/x/160.m3u8" && choice?.isMuxed == true)
            // The list of Twitch: no rate, and a group of video, although there is no picture.
            let alone = muxed + "#EXT-X-STREAM-INF:CODECS=\"mp4a.40.2\",VIDEO=\"audio_only\"\naudio_only.m3u8\n"
            #expect(try Self.choice(alone, wish)?.url == "https://a.example/x/audio_only.m3u8")
        }
    }

    @Test("A rendition without an address is inside the variant, where the default is")
    func insideTheVariant() throws {
        let choice = try Self.choice(
            """
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",DEFAULT=YES
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Spanish",URI="es.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=3982010,RESOLUTION=1920x1080,CODECS="avc1.4D4029,mp4a.40.2", AUDIO="aac"
            playlist.m3u8
            """)
        #expect(
            choice?.url == "https://a.example/x/playlist.m3u8" && choice?.rendition == nil && choice?.isMuxed == true)
    }

    @Test(
        "Codecs that cannot be recorded come last",
        arguments: ["fLaC", "opus", "ac-3", "ec-3", "mp4a.40.42", "mp4a.40.1", "mp4a.A5", "alac", "avc1.4d400d,ac-3"])
    func unsupportedCodecs(_ codecs: String) throws {
        let foreign = "#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS=\"\(codecs)\"\nforeign.m3u8\n"
        #expect(try Self.choice(foreign)?.url == "https://a.example/x/foreign.m3u8")
        for known in ["mp4a.40.2", "MP4A.40.29", "mp4a.40.34", "mp4a.6B", "mp3", "avc1.4d400d,mp4a.40.5"] {
            let lines = foreign + "#EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS=\"\(known)\"\nknown.m3u8\n"
            #expect(try Self.choice(lines)?.url == "https://a.example/x/known.m3u8")
        }
    }

    @Test("Remarks, key frames and tags of other uses are ignored, and the order of attributes makes no difference")
    func otherTags() throws {
        let master = try HLSText.master(
            """
            #EXTM3U
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-SESSION-DATA:DATA-ID="x",VALUE="y"
            #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://a"
            #EXT-X-CONTENT-STEERING:SERVER-URI="s.json"
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1000,URI="iframe.m3u8"
            stray.m3u8
            #EXT-X-STREAM-INF:NAME="480",CODECS="mp4a.40.2,avc1.64001f",PROGRAM-ID=1,BANDWIDTH=836280,RESOLUTION=848x360
            # a remark
            http://b.example/sec(3ae)/1.m3u8#cell=core
            """)
        #expect(master.variants.count == 1 && master.variants[0].bandwidth == 836_280)
        #expect(master.variants[0].url == "http://b.example/sec(3ae)/1.m3u8#cell=core" && master.variants[0].hasVideo)
        #expect(master.variants[0].codecs == "mp4a.40.2,avc1.64001f")
    }

    @Test("A master playlist without variants is a problem with a name")
    func noVariants() {
        #expect(throws: HLSProblem.noVariants) { try HLSText.master("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n") }
        #expect(throws: HLSProblem.noVariants) {
            try HLSText.master("#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",URI=\"a\"\na.m3u8\n")
        }
    }
}
