// SPDX-License-Identifier: MIT

import RadioCore

/// What a server can send to make reading it dear, as fast as it is taken and without an end: the worst that is known
/// of each parser, and of the splicer.
package enum Flood: String, CaseIterable, Sendable {
    /// Metadata blocks of nothing but ends of fields, one for each byte of audio.
    case metadata
    /// The same with ends of texts.
    case quotes
    /// Bytes each of which may begin a frame of MPEG audio.
    case syncBytes
    /// Headers of MPEG audio of every kind, free format among them, close together.
    case headers
    /// The shortest frames that MPEG audio has.
    case shortFrames
    /// Headers of AAC frames of any length, close together.
    case adts
    /// Ogg pages of 255 packets of a byte, of three kinds of frames in turn.
    case tinyPackets
    /// FLAC packets of 7 bytes that claim to play for a minute each.
    case claims
    /// Heads of Ogg pages without pages.
    case pageHeads
    /// ID3 tags of empty frames, each with a title, between frames.
    case tags
    /// Letters with a thousand accents each as titles.
    case accents
    /// Markup that could still become a playlist.
    case markup
    /// Frames that are all alike, in a burst of which each connection sends a little more, and breaks off.
    case alike
    /// Packets of a byte, of three kinds in turn or at random, in a burst that is longer with each connection, and
    /// breaks off.
    case kinds
    /// JSON that never ends.
    case json
    /// Playlists as long as one may be, and one that never ends.
    case list
    /// Ogg streams of little but comments: a thousand in a packet, nearly all of it their names, and pictures.
    case comments

    /// What a ``ScriptedOrigin`` does with each connection.
    package var script: OriginScript {
        switch self {
        case .metadata: metadata(Array(repeating: 0x3b, count: 4_067))
        case .quotes: metadata(Array(String(repeating: "';", count: 2_033).utf8))
        case .accents: metadata(Array(("a" + String(repeating: "\u{301}", count: 2_030)).utf8))
        case .syncBytes: stream("audio/mpeg", Self.frames(8) + [UInt8](repeating: 0xff, count: 100_000))
        case .headers: stream("audio/mpeg", Self.frames(8) + Self.manyHeaders)
        case .shortFrames: stream("audio/mpeg", Self.shortest(4_000))
        case .adts: stream("audio/aac", Self.aacFrames(8) + Self.manyAACHeaders)
        case .tinyPackets: stream("application/ogg", Self.tinyVorbis)
        case .claims: stream("application/ogg", Self.flac)
        case .pageHeads:
            stream(
                "application/ogg",
                Self.tinyVorbis.prefix(20_000) + (0..<4_000).flatMap { _ in Array("OggS".utf8) + [0, 0] })
        case .tags: stream("audio/mpeg", (0..<40).flatMap { Self.frames(3) + Self.tag($0) })
        case .markup: stream("audio/x-mpegurl", Array(String(repeating: "<a b='", count: 10_000).utf8))
        case .alike:
            OriginScript(
                connections: (1...20).map { number in
                    [.request, .icyHead(), .send((0..<number * 400).flatMap { _ in Self.frame(0) }), .reset]
                })
        case .kinds: growingVorbis
        case .json:
            stream("application/json", Array("{\"a\":".utf8) + Array(String(repeating: "[{\"b\":", count: 10_000).utf8))
        case .list:
            OriginScript(
                [.request, .icyHead(type: "audio/x-mpegurl"), .send(Self.m3u), .close],
                [.request, .icyHead(type: "audio/x-scpls"), .send(Self.pls), .close],
                [.request, .icyHead(type: "audio/x-mpegurl"), .flood(Self.m3u)])
        case .comments: stream("application/ogg", Self.vorbisComments + Self.flacComments)
        }
    }

    private func stream(_ type: String, _ bytes: [UInt8]) -> OriginScript {
        OriginScript([.request, .icyHead(type: type), .flood(bytes)])
    }

    private func metadata(_ text: [UInt8]) -> OriginScript {
        let block = (Array("StreamTitle='".utf8) + text).prefix(4_080)
        let padded = block + [UInt8](repeating: 0, count: 4_080 - block.count)
        let bytes = Self.frames(2).flatMap { [$0, 255] + padded }
        return OriginScript([.request, .icyHead(interval: 1), .flood(bytes)])
    }
}

extension Flood {
    /// A frame of layer III at 32 kbit/s and 48 kHz, in mono: 96 bytes.
    private static func frame(_ number: Int) -> [UInt8] {
        [0xff, 0xfb, 0x14, 0xc4] + [UInt8](repeating: UInt8(truncatingIfNeeded: number & 0x7f), count: 92)
    }

    private static func frames(_ count: Int) -> [UInt8] { (0..<count).flatMap(frame) }

    /// Layer III at 8 kbit/s and 24 kHz: 24 bytes.
    private static func shortest(_ count: Int) -> [UInt8] {
        (0..<count).flatMap {
            [0xff, 0xf3, 0x14, 0xc4] + [UInt8](repeating: UInt8(truncatingIfNeeded: $0 & 0x7f), count: 20)
        }
    }

    private static var manyHeaders: [UInt8] {
        var random = SplitMix64(seed: 15)
        let kinds: [UInt8] = [0xfb, 0xfa, 0xfd, 0xff, 0xf3, 0xe3]
        return (0..<10_000).flatMap { _ -> [UInt8] in
            let kind = kinds[Int(random.next() % 6)]
            let rest: [UInt8] = random.bytes(Int(random.next() % 6)).map { $0 & 0x7f }
            return [0xff, kind, UInt8(random.next() & 0x7c), 0x64] + rest
        }
    }

    private static func aacFrames(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { number -> [UInt8] in
            [0xff, 0xf1, 0x50, 0x80, 0x0c, 0x9f, 0xfc] + [UInt8](repeating: UInt8(number & 0x7f), count: 93)
        }
    }

    private static var manyAACHeaders: [UInt8] {
        var random = SplitMix64(seed: 16)
        return (0..<10_000).flatMap { number -> [UInt8] in
            let header: [UInt8] = [0xff, 0xf1, 0x50, 0x80, UInt8(number % 32 * 8), 0x1f, 0xfc]
            return header + random.bytes(Int(random.next() % 9))
        }
    }

    /// A tag of 1,000 bytes: a title, and frames of no length.
    private static func tag(_ number: Int) -> [UInt8] {
        let title: [UInt8] = Array("TIT2".utf8) + [0, 0, 0, 4, 0, 0, 3] + Array("\(number % 900 + 100)".utf8)
        let empty = Array("TXXX".utf8) + [UInt8](repeating: 0, count: 6)
        let body = title + [[UInt8]](repeating: empty, count: 98).flatMap { $0 }
        let head: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(body.count >> 7), UInt8(body.count & 0x7f)]
        return head + body
    }
}

// MARK: - Playlists

extension Flood {
    /// Of 64 KiB, each address another, and as short as it can be: relative ones.
    private static var m3u: [UInt8] {
        Array(("#EXTM3U\n" + (0..<16_000).map { String($0, radix: 36) + "\n" }.joined()).utf8.prefix(65_536))
    }

    private static var pls: [UInt8] {
        let lines = (0..<6_000).map { "File\($0)=\(String($0, radix: 36))\n" }
        return Array(("[playlist]\n" + lines.joined()).utf8.prefix(65_536))
    }
}

// MARK: - Ogg

extension Flood {
    private static var tinyVorbis: [UInt8] { vorbis(pages: 2_000) { $0 % 3 } }

    /// Packets of three kinds, whose number a function of their place tells.
    private static func vorbis(pages count: Int, _ kind: (Int) -> Int) -> [UInt8] {
        var pages = OggPages(serial: 1)
        pages.add([vorbisStart], granule: 0)
        pages.add([vorbisNoComments, vorbisSetup], granule: 0)
        for page in 1...count {
            pages.add((0..<255).map { [[0], [2], []][kind(page * 255 + $0)] }, granule: Int64(page) * 60_000)
        }
        return pages.bytes
    }

    /// From the third connection on a burst holds more frames than a station remembers. Two connections each are at
    /// random, from another beginning, then two in turn: each is held against frames of its own sort and of the other.
    private var growingVorbis: OriginScript {
        OriginScript(
            connections: (0..<10).map { number in
                var random = SplitMix64(seed: UInt64(number))
                let bytes = Self.vorbis(pages: (number + 1) * 60) { place in
                    number % 4 < 2 ? Int(random.next() % 3) : place % 3
                }
                return [.request, .icyHead(type: "application/ogg"), .send(bytes), .close]
            })
    }

    /// Two modes, a short and a long one; what the setup says else, a framer does not read.
    private static var vorbisStart: [UInt8] {
        Array("\u{1}vorbis".utf8) + [0, 0, 0, 0, 2, 0x44, 0xac, 0, 0] + [UInt8](repeating: 0, count: 12) + [0xb8, 1]
    }

    private static var vorbisNoComments: [UInt8] {
        Array("\u{3}vorbis".utf8) + [UInt8](repeating: 0, count: 8) + [1]
    }

    /// A list of comments: a thousand, their names of letters that become two each in capitals, then a picture.
    private static var manyComments: [UInt8] {
        let name = String(repeating: "\u{149}", count: 400)
        let fields = (0..<1_000).map { Array("\(name)\($0)=".utf8) }
        let picture = Array("METADATA_BLOCK_PICTURE=".utf8) + [UInt8](repeating: 0x41, count: 100_000)
        return length(0) + length(1_001) + (fields + [picture]).flatMap { length($0.count) + $0 }
    }

    private static func length(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } }

    private static var vorbisComments: [UInt8] {
        var pages = OggPages(serial: 3)
        pages.add([vorbisStart], granule: 0)
        pages.add(long: Array("\u{3}vorbis".utf8) + manyComments + [1])
        pages.add([vorbisSetup], granule: 0)
        pages.add([[0], [2], []], granule: 700)
        return pages.bytes
    }

    private static var flacComments: [UInt8] {
        var pages = OggPages(serial: 4)
        let count = manyComments.count
        pages.add([flacStart(headers: 2)], granule: 0)
        pages.add(long: [4, UInt8(count >> 16), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)] + manyComments)
        pages.add(long: [0x86, 1, 0x86, 0xa0] + [UInt8](repeating: 0, count: 100_000))
        pages.add([flacPacket, flacPacket], granule: 2 * 65_536)
        return pages.bytes
    }

    /// A setup header of two modes (Vorbis I, 4.2.4), read from its end as `SimpleOgg` and framers do.
    private static var vorbisSetup: [UInt8] {
        var bits: [Bool] = []
        func put(_ value: Int, _ count: Int) { for bit in 0..<count { bits.append(value >> bit & 1 == 1) } }
        put(0, 8)  // A codebook count of one, and what stands for all books, floors, residues and mappings.
        for _ in 0..<20 { put(0x55, 8) }
        put(1, 6)
        for isLong in [0, 1] { put(isLong, 1); put(0, 16); put(0, 16); put(0, 8) }
        put(1, 1)
        while bits.count % 8 != 0 { bits.append(false) }
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | (bits[start + $1] ? 1 << UInt8($1) : 0) }
        }
        return Array("\u{5}vorbis".utf8) + bytes
    }

    private static var flac: [UInt8] {
        var pages = OggPages(serial: 2)
        pages.add([flacStart(headers: 1)], granule: 0)
        pages.add([[0x84, 0, 0, 8] + [UInt8](repeating: 0, count: 8)], granule: 0)
        for page in 1...1_000 {
            pages.add([[UInt8]](repeating: flacPacket, count: 255), granule: Int64(page) * 255 * 65_536)
        }
        return pages.bytes
    }

    /// The first packet, with the number of header packets behind it.
    private static func flacStart(headers: UInt8) -> [UInt8] {
        let info: [UInt8] =
            [0x10, 0x00, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0x00, 0x3e, 0x80, 0xf0, 0, 0, 0, 0]
            + [UInt8](repeating: 0, count: 16)
        return [0x7f] + Array("FLAC".utf8) + [1, 0, 0, headers] + Array("fLaC".utf8) + [0, 0, 0, 34] + info
    }

    private static var flacPacket: [UInt8] { [0xff, 0xf8, 0x70, 0x00, 0x00, 0xff, 0xff] }
}

/// Ogg pages (RFC 3533, section 6).
private struct OggPages {
    private(set) var bytes: [UInt8] = []
    private let serial: UInt8
    private var number: UInt32 = 0

    init(serial: UInt8) { self.serial = serial }

    /// A page of whole packets of less than 255 bytes.
    mutating func add(_ packets: [[UInt8]], granule: Int64) {
        add(lacing: packets.map { UInt8($0.count) }, packets.flatMap { $0 }[...], granule: granule)
    }

    /// A packet of any length on pages of its own; a header, for the granule position is 0.
    mutating func add(long packet: [UInt8]) {
        let longest = 255 * 255
        for start in stride(from: 0, through: packet.count, by: longest) {
            let body = packet[start..<min(packet.count, start + longest)]
            let isEnd = body.count < longest
            let lacing = [UInt8](repeating: 255, count: body.count / 255) + (isEnd ? [UInt8(body.count % 255)] : [])
            add(lacing: lacing, body, granule: isEnd ? 0 : -1, goesOn: start > 0)
        }
    }

    private mutating func add(
        lacing: [UInt8], _ body: ArraySlice<UInt8>, granule: Int64, goesOn: Bool = false
    ) {
        var page = Array("OggS".utf8) + [0, (number == 0 ? 2 : 0) | (goesOn ? 1 : 0)]
        page += (0..<8).map { UInt8(truncatingIfNeeded: granule >> ($0 * 8)) }
        page += [serial, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } + [0, 0, 0, 0]
        page += [UInt8(lacing.count)] + lacing + body
        let checksum = SimpleOgg.checksum(page)
        for place in 0..<4 { page[22 + place] = UInt8(truncatingIfNeeded: checksum >> (place * 8)) }
        bytes += page
        number += 1
    }
}
