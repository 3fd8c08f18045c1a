// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

struct StreamRecognizerTests {
    private func guess(
        _ bytes: some Sequence<UInt8>, type: String? = nil, url: String? = nil, isComplete: Bool = true
    ) -> ContentGuess {
        let recognizer = StreamRecognizer(contentType: type, url: url)
        return Array(bytes).withUnsafeBytes { recognizer.guess($0, isComplete: isComplete) }
    }

    private static func mpeg(_ frames: Int) -> [UInt8] {
        var source = SyntheticMPEG(seed: 70)
        return source.frames(frames).flatMap { $0 }
    }

    private static func adts(_ frames: Int) -> [UInt8] {
        var generator = SplitMix64(seed: 71)
        return (0..<frames).flatMap { _ in
            let length = Int.random(in: 200...400, using: &generator)
            let header: [UInt8] = [
                0xff, 0xf1, 0x50, UInt8(0x80 | length >> 11), UInt8(length >> 3 & 0xff),
                UInt8((length & 7) << 5 | 0x1f), 0xfc,
            ]
            return header + generator.bytes(length - 7)
        }
    }

    private static func transportStream(_ packets: Int) -> [UInt8] {
        var generator = SplitMix64(seed: 72)
        return (0..<packets).flatMap { index in
            [0x47, 1, UInt8(index), 0x10 | UInt8(index & 0xF)] + generator.bytes(184)
        }
    }

    private static func loas(_ frames: Int) -> [UInt8] {
        var generator = SplitMix64(seed: 73)
        return (0..<frames).flatMap { _ in [0x56, 0xe0, 0xc8] + generator.bytes(200) }
    }

    private static let id3 = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0x07, 0x68] + [UInt8](repeating: 0, count: 1000)

    /// "моя юность, моя явь" in Windows-1251: four of its letters are 0xFF, and two are 0xFE.
    private static let russian: [UInt8] =
        [0xec, 0xee, 0xff, 0x20, 0xfe, 0xed, 0xee, 0xf1, 0xf2, 0xfc, 0x2c, 0x20, 0xec, 0xee, 0xff, 0x20]
        + [0xff, 0xe2, 0xfc, 0xff, 0xfe]

    /// Bodies that are recognised by their bytes, whatever is claimed about them.
    static let bodies: [(String, [UInt8], ContentGuess)] = [
        ("mpeg", mpeg(9), .audio(.mpeg)),
        ("mpeg from the middle", Array(mpeg(9).dropFirst(200)), .audio(.mpeg)),
        ("mpeg behind a tag", id3 + mpeg(9), .audio(.mpeg)),
        ("adts", adts(9), .audio(.adts)),
        ("adts from the middle", Array(adts(9).dropFirst(100)), .audio(.adts)),
        ("adts behind a tag", id3 + adts(9), .audio(.adts)),
        ("ogg", Array("OggS\0\u{2}".utf8) + [UInt8](repeating: 0, count: 60), .audio(.ogg)),
        ("pls", Array("[playlist]\r\nFile1=http://a.example/x\r\n".utf8), .playlist(.pls)),
        ("m3u", Array("\u{feff}#EXTM3U\n#EXTINF:-1,x\nhttp://a.example/x\n".utf8), .playlist(.m3u)),
        ("m3u without a mark", Array("http://a.example/x\nhttp://b.example/x\n".utf8), .playlist(.m3u)),
        // "я" is 0xFF in windows-1251.
        ("m3u", Array("#EXTM3U\n#EXTINF:-1,".utf8) + [0xff, 0x01] + Array("x\nhttp://a/x\n".utf8), .playlist(.m3u)),
        ("m3u behind a comment", Array("# ".utf8) + russian + Array("\nhttp://a.example/x\n".utf8), .playlist(.m3u)),
        ("m3u without a head", Array("#EXTINF:-1,".utf8) + russian + Array("\nhttp://a/x\n".utf8), .playlist(.m3u)),
        ("asx", Array("<asx><title>".utf8) + russian + Array("</title></asx>".utf8), .playlist(.asx)),
        ("text in an old charset", Array("\nThe name of a file: ".utf8) + russian + Array(".mp3".utf8), .text),
        ("pls", Array("[playlist]\nTitle1=".utf8) + [0xff] + Array("\nFile1=http://a/x\n".utf8), .playlist(.pls)),
        ("hls", Array("#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:6,\nseg1.ts\n".utf8), .hls),
        ("html", Array("\n  <!DOCTYPE html><html><head><title>Radio</title>".utf8), .html),
        ("html with declaration", Array("<?xml version=\"1.0\"?><!-- x --><HTML><body>hello".utf8), .html),
        ("json", Array("{ \"error\": \"no such mount, try another one\" }".utf8), .json),
        ("json list", Array("[ {\"a\": 1}, {\"b\": 2}, {\"c\": 3}, {\"d\": 4} ]".utf8), .json),
        ("xml", Array("<?xml version=\"1.0\"?><status><mount>/live</mount></status>".utf8), .xml),
        ("text", Array("The requested mount point is not available, sorry.".utf8), .text),
        ("xspf", Array("<?xml version=\"1.0\"?>\n<!-- <html> -->\n<playlist version=\"1\"/>".utf8), .playlist(.xspf)),
        ("xspf with a prefix", Array("<x:playlist xmlns:x=\"http://xspf.org/ns/0/\">".utf8), .playlist(.xspf)),
        ("asx", Array("<ASX version=\"3.0\"><Entry><Ref href=\"x\"/></Entry>".utf8), .playlist(.asx)),
        ("asx of lines", Array("[Reference]\r\nRef1=http://a.example/x?MSWMExt=.asf\r\n".utf8), .playlist(.asx)),
        ("feed", Array("<?xml version=\"1.0\"?><rss version=\"2.0\"><x/>".utf8), .unsupported("a podcast feed")),
        ("flac", SyntheticFLAC().head(), .audio(.flac)),
        ("flac from the middle", Array(SyntheticFLAC().frames(3..<6).joined().dropFirst(200)), .audio(.flac)),
        ("flac behind a tag", id3 + SyntheticFLAC().head(), .audio(.flac)),
        ("wav", Array("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt ".utf8) + [UInt8](repeating: 0, count: 60), .wrapped(.pcm)),
        ("mp4", [0, 0, 0, 32] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 60), .wrapped(.mp4)),
        ("adif", Array("ADIF".utf8) + [UInt8](repeating: 0x80, count: 60), .unsupported("AAC in ADIF")),
        ("latm", loas(9), .unsupported("AAC in LATM")),
        ("transport stream", transportStream(9), .wrapped(.transportStream)),
        ("gzip", [0x1f, 0x8b, 8] + [UInt8](repeating: 7, count: 60), .unsupported("compressed data (gzip)")),
        ("jpeg", [0xff, 0xd8, 0xff, 0xe0] + [UInt8](repeating: 7, count: 60), .unsupported("a picture")),
    ]

    @Test("The bytes of a body outweigh what is claimed about it", arguments: bodies.indices)
    func bytesDecide(_ index: Int) {
        let (name, body, expected) = Self.bodies[index]
        for type in [nil, "audio/mpeg", "audio/aacp; charset=utf-8", "application/octet-stream", "nonsense"] {
            #expect(guess(body, type: type) == expected, "\(name) as \(type ?? "nothing")")
        }
        #expect(guess(body, type: "audio/ogg", url: "http://a.example/x.mp3") == expected, "\(name)")
    }

    @Test("A body is recognised early, and the answer does not change", arguments: bodies.indices)
    func earlyAnswer(_ index: Int) {
        let (name, body, expected) = Self.bodies[index]
        var first: Int?
        for count in Array(0...min(80, body.count)) + Array(stride(from: 81, to: body.count, by: 89)) {
            let answer = guess(body[..<count], type: "audio/mpeg", isComplete: false)
            if first == nil, answer != .undecided { first = count }
            #expect(answer == (first == nil ? .undecided : expected), "\(name), \(count) bytes")
        }
        #expect((first ?? 0) <= 5000, "\(name)")
    }

    /// The first few bytes of files of other kinds.
    static let marks: [[UInt8]] =
        [
            "RIFF\u{1}\u{1}\u{1}\u{1}WAVE", "FORM\u{1}\u{1}\u{1}\u{1}AIFF", "\0\0\0\u{20}ftypM4A ", "ADIF",
            "caff", ".snd",
        ].map { Array($0.utf8) } + [[0x1a, 0x45, 0xdf, 0xa3], [0x1f, 0x8b, 8]] + pictures
    static let pictures: [[UInt8]] = [[0xff, 0xd8, 0xff, 0xe0], [0x89, 0x50, 0x4e, 0x47], Array("GIF89a".utf8)]

    @Test("B31: A few bytes refuse nothing that was announced as audio and has frames behind them", arguments: marks)
    func marksBeforeFrames(_ mark: [UInt8]) {
        var generator = SplitMix64(seed: 77)
        for count in [0, 100, 8_000] {
            let body = mark + generator.bytes(count) + Self.mpeg(12)
            #expect(guess(body, type: "audio/mpeg", isComplete: false) == .audio(.mpeg))
            #expect(guess(body, url: "http://a.example/x.mp3", isComplete: false) == .audio(.mpeg))
        }
        let noise = mark + generator.bytes(2 * StreamRecognizer.limit)
        #expect(guess(noise.prefix(1_000), type: "audio/mpeg", isComplete: false) == .undecided)
        // A tag may contain a large picture with audio behind it, but no other kind of file.
        let isPicture = Self.pictures.contains(mark)
        #expect((guess(noise, type: "audio/mpeg", isComplete: false) == .audio(.mpeg)) == isPicture)
        for answer in [guess(noise), guess(noise.prefix(1_000), type: "audio/mpeg")] {
            switch answer {
            case .unsupported, .wrapped: break
            default: Issue.record("\(answer)")
            }
        }
    }

    @Test("The content type, and then the file extension, decide if the bytes are inconclusive") func typeAndExtension()
    {
        var generator = SplitMix64(seed: 74)
        let noise = generator.bytes(StreamRecognizer.limit)
        #expect(guess(noise, type: "audio/aac", url: "http://a.example/x.mp3", isComplete: false) == .audio(.adts))
        #expect(guess(noise, type: "Audio/MPEG ; x=y", isComplete: false) == .audio(.mpeg))
        #expect(guess(noise, type: "application/octet-stream", url: "http://a.example/x.OGG?t=1") == .audio(.ogg))
        #expect(guess(noise, type: "audio/flac") == .audio(.flac))
        #expect(guess(Array("fLaC".utf8) + noise, type: "audio/mpeg", isComplete: false) == .audio(.mpeg))
        #expect(guess(noise, type: "text/html") == .unknown)
        #expect(guess(noise) == .unknown)
        #expect(guess(noise.dropLast(), isComplete: false) == .undecided)
        #expect(guess([], type: "audio/mpeg") == .audio(.mpeg))
        #expect(guess([], isComplete: false) == .undecided)
    }

    @Test("Text is a playlist if its type or file extension says so") func textPlaylists() {
        let text = Array("live/stream.mp3\nlive/stream2.mp3\n".utf8)
        #expect(guess(text, type: "audio/x-mpegurl") == .playlist(.m3u))
        #expect(guess(text, type: "text/plain", url: "http://a.example/x.pls") == .playlist(.pls))
        #expect(guess(text, type: "video/x-ms-asf") == .playlist(.asx))
        #expect(guess(text, url: "http://a.example/x.XSPF") == .playlist(.xspf))
        #expect(guess(text, type: "application/vnd.apple.mpegurl") == .hls)
        #expect(guess(text, type: "audio/mpeg") == .text)
    }

    @Test("An empty body is an empty playlist if its type or file extension says so") func emptyPlaylists() {
        #expect(guess([], type: "audio/x-scpls") == .playlist(.pls))
        #expect(guess([], url: "http://a.example/x.asx") == .playlist(.asx))
        #expect(guess([], type: "audio/x-scpls", isComplete: false) == .undecided)
    }

    @Test("A tag larger than the recognition limit belongs to audio") func largeTag() {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 8, 0, 0] + [UInt8](repeating: 0, count: StreamRecognizer.limit)
        #expect(guess(tag, isComplete: false) == .audio(.mpeg))
        #expect(guess(tag, type: "audio/aacp", isComplete: false) == .audio(.adts))
        #expect(guess(tag.prefix(1000), isComplete: false) == .undecided)
    }

    @Test("Silent frames that are joined in their padding are audio") func silentFrames() {
        // An encoder fills the frames of silence with its name and the letter U.
        var source = SyntheticMPEG(seed: 75)
        source.payload = .silent
        let frames = source.frames(10).map { frame in
            frame.prefix(40) + [UInt8](repeating: 0x55, count: frame.count - 40)
        }
        let stream = frames.flatMap { $0 }.dropFirst(60)
        #expect(guess(stream, isComplete: false) == .audio(.mpeg))
        #expect(guess(stream.prefix(300), isComplete: false) == .undecided)
    }

    @Test("Any bytes can be examined safely") func randomBytes() {
        var generator = SplitMix64(seed: 76)
        let alphabet = Array("ID3OggS<?xml[{#EXTM3U\n ".utf8) + [0xff, 0xfb, 0xf1, 0x56, 0xe0, 0x47, 0x90, 0, 0x50]
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            #expect(guess(bytes, type: "audio/mpeg") != .undecided)
            _ = guess(bytes, isComplete: false)
        }
    }
}
