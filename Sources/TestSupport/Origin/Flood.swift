// SPDX-License-Identifier: MIT

import RadioCore

/// Endless input that makes parsing expensive, sent as fast as it is accepted: the worst known cases of each parser and
/// of the splicer.
package enum Flood: String, CaseIterable, Sendable {
    /// Metadata blocks that contain only field terminators, one block per byte of audio.
    case metadata
    /// Like ``metadata``, but with terminators of quoted values.
    case quotes
    /// Bytes that could each start a frame of MPEG audio.
    case syncBytes
    /// MPEG audio headers of all kinds, including free format, close together.
    case headers
    /// The shortest frames of MPEG audio.
    case shortFrames
    /// ADTS headers with all kinds of frame lengths, close together.
    case adts
    /// Ogg pages of 255 packets with at most one byte each. There are three kinds of packets, in turn.
    case tinyPackets
    /// FLAC packets of 7 bytes, each with a claimed duration of a minute.
    case claims
    /// Capture patterns of Ogg pages without the pages.
    case pageHeads
    /// ID3 tags between frames, each with a title and many empty ID3 frames.
    case tags
    /// Titles that consist of one letter with two thousand combining accents.
    case accents
    /// Markup that could still turn out to be a playlist.
    case markup
    /// Bursts of identical frames, each longer than the previous connection's and ended by a reset.
    case alike
    /// Bursts of packets with at most one byte each. There are three kinds of packets, in turn or at random. Each burst
    /// is longer than the burst of the previous connection, and the connection is closed after it.
    case kinds
    /// Endless nested JSON.
    case json
    /// Playlists of the maximum length, then an endless one.
    case list
    /// Ogg streams that consist mostly of comments: a thousand per packet, with very long names, and pictures.
    case comments

    /// The script that sends this input from a ``ScriptedOrigin``.
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
    /// A layer III frame at 32 kbit/s, 48 kHz, mono: 96 bytes.
    private static func frame(_ number: Int) -> [UInt8] {
        [0xff, 0xfb, 0x14, 0xc4] + [UInt8](repeating: UInt8(truncatingIfNeeded: number & 0x7f), count: 92)
    }

    private static func frames(_ count: Int) -> [UInt8] { (0..<count).flatMap(frame) }

    /// Layer III frames at 8 kbit/s and 24 kHz: 24 bytes each.
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

    /// An ID3 tag of about 1,000 bytes: a title, and ID3 frames of length 0.
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
    /// A playlist of 64 KiB. Its addresses all differ and are as short as possible, so they are relative.
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

    /// Packets of three kinds; `kind` returns the kind, from 0 to 2, of the packet with a given number.
    private static func vorbis(pages count: Int, _ kind: (Int) -> Int) -> [UInt8] {
        var pages = OggPages(serial: 1)
        pages.add([vorbisStart], granule: 0)
        pages.add([vorbisNoComments, vorbisSetup], granule: 0)
        for page in 1...count {
            pages.add((0..<255).map { [[0], [2], []][kind(page * 255 + $0)] }, granule: Int64(page) * 60_000)
        }
        return pages.bytes
    }

    /// From the third connection on, a burst holds more frames than a station remembers. Pairs of connections
    /// alternate: two with random packets from different seeds, then two with the three kinds in turn. So each burst is
    /// compared with a burst of its own sort and with a burst of the other sort.
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

    /// An identification header with a short and a long block size. Framers ignore its other fields.
    private static var vorbisStart: [UInt8] {
        Array("\u{1}vorbis".utf8) + [0, 0, 0, 0, 2, 0x44, 0xac, 0, 0] + [UInt8](repeating: 0, count: 12) + [0xb8, 1]
    }

    private static var vorbisNoComments: [UInt8] {
        Array("\u{3}vorbis".utf8) + [UInt8](repeating: 0, count: 8) + [1]
    }

    /// A header packet with a list of a thousand comments and a picture. The comments' names consist of letters that
    /// become two letters in upper case.
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

    /// A setup header with two modes (Vorbis I, 4.2.4). Framers read it from the end.
    private static var vorbisSetup: [UInt8] {
        var bits: [Bool] = []
        func put(_ value: Int, _ count: Int) { for bit in 0..<count { bits.append(value >> bit & 1 == 1) } }
        put(0, 8)  // A codebook count of one, followed by filler in place of codebooks, floors, residues and mappings.
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

    /// The first packet of Ogg FLAC. `headers` is the number of header packets that follow.
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

    /// Adds a page of whole packets, each shorter than 255 bytes.
    mutating func add(_ packets: [[UInt8]], granule: Int64) {
        add(lacing: packets.map { UInt8($0.count) }, packets.flatMap { $0 }[...], granule: granule)
    }

    /// Adds a header packet of any length on pages of its own. The pages have the granule position 0.
    mutating func add(long packet: [UInt8]) {
        let longest = 255 * 255
        for start in stride(from: 0, through: packet.count, by: longest) {
            let body = packet[start..<min(packet.count, start + longest)]
            let isEnd = body.count < longest
            let lacing = [UInt8](repeating: 255, count: body.count / 255) + (isEnd ? [UInt8(body.count % 255)] : [])
            add(lacing: lacing, body, granule: isEnd ? 0 : -1, continues: start > 0)
        }
    }

    private mutating func add(lacing: [UInt8], _ body: ArraySlice<UInt8>, granule: Int64, continues: Bool = false) {
        var page = Array("OggS".utf8) + [0, (number == 0 ? 2 : 0) | (continues ? 1 : 0)]
        page += (0..<8).map { UInt8(truncatingIfNeeded: granule >> ($0 * 8)) }
        page += [serial, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } + [0, 0, 0, 0]
        page += [UInt8(lacing.count)] + lacing + body
        let checksum = SimpleOgg.checksum(page)
        for place in 0..<4 { page[22 + place] = UInt8(truncatingIfNeeded: checksum >> (place * 8)) }
        bytes += page
        number += 1
    }
}
