// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Malicious and random playlists.
struct PlaylistFuzzTests {
    private static let seeds: [String] = [
        "[playlist]\r\nNumberOfEntries=2\r\nFile1=http://a.example/one\r\nTitle1=Eins\r\nFile2=../two\r\nLength2=-1\r\n",
        "\u{feff}#EXTM3U\n#EXTINF:-1 tvg-id=\"x\",Süßes Radio\nhttp://a.example:8000/live\n//b.example/x\n",
        "<?xml version=\"1.0\"?><playlist xml:base='http://a.example/'><trackList><track><title>A &amp; &#66;</title>"
            + "<location>one</location></track><track><location><![CDATA[/two]]></location></track></trackList></playlist>",
        "<ASX version=3.0><Base href='/x/'><Entry><Title>T</Title><Ref href=\"http://a.example/?a=1&b=2\"/></Entry>"
            + "<EntryRef href=more.asx></ASX>",
        "[Reference]\nRef1=http://a.example/?MSWMExt=.asf\nRef2=mms://b.example/\n",
    ]

    /// Reads a body as each kind and checks what must hold for every playlist.
    private func read(_ body: [UInt8], _ location: SourceLocation = #_sourceLocation) {
        for kind in PlaylistKind.allCases {
            let entries = (try? Playlist(body, kind: kind, base: "http://radio.example/lists/x"))?.entries
            guard let entries else { continue }
            let isSound =
                (1...Playlist.mostEntries).contains(entries.count) && Set(entries.map(\.url)).count == entries.count
                && entries.allSatisfy {
                    URLReference($0.url).isWebAddress && $0.url.utf8.count <= Playlist.longestURL
                        && $0.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
                }
            #expect(isSound, "\(kind): \(body)", sourceLocation: location)
        }
        for isComplete in [false, true] {
            _ = body.withUnsafeBytes {
                StreamRecognizer(contentType: nil, url: nil).guess($0, isComplete: isComplete)
            }
        }
    }

    @Test("Every truncated playlist is read safely") func truncation() {
        for seed in Self.seeds.map({ Array($0.utf8) }) {
            for count in 0...seed.count { read(Array(seed[..<count])) }
        }
    }

    @Test("Random bytes are read safely as a playlist") func randomBytes() {
        var generator = SplitMix64(seed: 60)
        let alphabet =
            Array("File1=Title2htp:/[]#EXT.\n\r <>&;\"'!-refentrytracklocation".utf8)
            + [0, 0xff, 0xc3, 0xa9, 0xef, 0xbb, 0xbf]
        for round in 0..<1000 {
            let count = Int.random(in: 0...300, using: &generator)
            let body =
                round.isMultiple(of: 2)
                ? generator.bytes(count) : (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            read(body)
        }
    }

    @Test("Mutated playlists are read safely") func mutations() {
        var generator = SplitMix64(seed: 61)
        let seeds = Self.seeds.map { Array($0.utf8) }
        for _ in 0..<1500 {
            var body = seeds.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0...body.count, using: &generator)
                let end = min(body.count, place + Int.random(in: 0...20, using: &generator))
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: body.replaceSubrange(place..<end, with: generator.bytes(end - place))
                case 1: body.removeSubrange(place..<end)
                case 2: body.insert(contentsOf: body[place..<end], at: place)
                default: body.insert(contentsOf: (seeds.randomElement(using: &generator) ?? []).prefix(60), at: place)
                }
            }
            read(body)
        }
    }

    /// Input that would take quadratic time or deep recursion in a careless parser.
    @Test(
        "A playlist of the largest size is read quickly, whatever it contains",
        arguments: [
            "<", "<a ", "<a b=\"", "<a b='c' ", "<!--", "<!--->", "<![CDATA[", "</", "<?", "&", "&amp;", "&#",
            "<track><location>",
            "<entry><ref href=a>", "<title>", "\n", "#EXTINF:,\n", "File1=\n", "x=", "a/../", "http://a/", "[",
            "\u{e9}",
            "\0",
        ])
    func largestBody(piece: String) {
        let unit = Array(piece.utf8)
        let body = (0..<Playlist.longestBody).map { unit[$0 % unit.count] }
        for start in ["", "<asx>"] {
            let whole = Array((Array(start.utf8) + body).prefix(Playlist.longestBody))
            // Reading takes milliseconds; the bound allows for a debug build on a busy machine.
            #expect(ContinuousClock().measure { read(whole) } < .seconds(20), "\(piece)")
        }
    }
}
