// SPDX-License-Identifier: MIT

import Instants

/// Puts the AAC frames of a programme into fragmented MP4 (ISO/IEC 14496-12 and -14), as an HLS packager does: one track,
/// one `moof` and `mdat` for a segment.
struct FragmentMuxer {
    private let programme: Broadcast
    /// The first frame's ADTS header.
    private let header: [UInt8]

    /// The programme must be ADTS.
    init(_ programme: Broadcast) {
        precondition(programme.container == .adts, "only AAC has a place in these fragments")
        self.programme = programme
        header = Array(programme.bytes.prefix(9))
    }

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    private var rateIndex: UInt8 { (header[2] >> 2) & 15 }
    private var rate: Int { Self.rates[Int(rateIndex)] }
    private var channels: UInt8 { (header[2] & 1) << 2 | header[3] >> 6 }

    /// `ftyp` and `moov`.
    var initialisation: [UInt8] {
        let matrix = [UInt32](arrayLiteral: 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000).flatMap(Self.four)
        let movie = Self.box(
            "mvhd",
            Self.fours(0, 0, 0, 1000, 0, 0x10000) + [1, 0] + Self.zeros(10) + matrix + Self.zeros(24) + Self.fours(2))
        let track = Self.box(
            "tkhd", Self.fours(7, 0, 0, 1, 0, 0) + Self.zeros(8) + [0, 0, 0, 1, 1, 0, 0, 0] + matrix + Self.fours(0, 0))
        let media = Self.box(
            "mdia",
            Self.box("mdhd", Self.fours(0, 0, 0, UInt32(rate), 0) + [0x55, 0xC4, 0, 0])
                + Self.box("hdlr", Self.fours(0, 0) + Array("soun".utf8) + Self.zeros(13)) + information)
        let extends = Self.box("mvex", Self.box("trex", Self.fours(0, 1, 1, 1024, 0, 0)))
        let type = Self.box("ftyp", Array("iso6".utf8) + Self.fours(0) + Array("iso6mp41".utf8))
        return type + Self.box("moov", movie + Self.box("trak", track + media) + extends)
    }

    private var information: [UInt8] {
        let reference = Self.box("dref", Self.fours(0, 1) + Self.box("url ", Self.fours(1)))
        let empty = ["stts", "stsc", "stco"].flatMap { Self.box($0, Self.fours(0, 0)) }
        let table = Self.box(
            "stbl", Self.box("stsd", Self.fours(0, 1) + entry) + empty + Self.box("stsz", Self.fours(0, 0, 0)))
        return Self.box("minf", Self.box("smhd", Self.fours(0, 0)) + Self.box("dinf", reference) + table)
    }

    /// The sample entry, with the decoder's configuration.
    private var entry: [UInt8] {
        let object = (header[2] >> 6) + 1
        let configuration = [object << 3 | rateIndex >> 1, (rateIndex & 1) << 7 | channels << 3]
        let specific = Self.descriptor(5, configuration)
        let decoder = Self.descriptor(4, [0x40, 0x15, 0, 0, 0] + Self.fours(128_000, 128_000) + specific)
        let stream = Self.descriptor(3, [0, 1, 0] + decoder + Self.descriptor(6, [2]))
        let fixed = Self.zeros(6) + [0, 1] + Self.zeros(8) + [0, channels, 0, 16] + Self.zeros(4)
        return Self.box("mp4a", fixed + Self.fours(UInt32(rate) << 16) + Self.box("esds", Self.fours(0) + stream))
    }

    /// The segment with these frames, the first of which starts at `start` samples.
    func fragment(_ places: Range<Int>, start: Int64, number: Int) -> [UInt8] {
        let payloads = programme.frames[places].map { frame in
            frame.bytes.dropFirst(frame.bytes[frame.bytes.startIndex + 1] & 1 == 1 ? 7 : 9)
        }
        let sizes = payloads.flatMap { Self.four(UInt32($0.count)) }
        func movie(_ offset: Int) -> [UInt8] {
            let time = UInt64(bitPattern: start)
            let header = Self.box("tfhd", Self.fours(0x02_0000, 1))
            let decoding = Self.box(
                "tfdt", [1, 0, 0, 0] + Self.fours(UInt32(time >> 32), UInt32(truncatingIfNeeded: time)))
            let run = Self.box("trun", Self.fours(0x201, UInt32(places.count), UInt32(offset)) + sizes)
            return Self.box(
                "moof", Self.box("mfhd", Self.fours(0, UInt32(number))) + Self.box("traf", header + decoding + run))
        }
        return movie(movie(0).count + 8) + Self.box("mdat", payloads.flatMap { Array($0) })
    }

    /// The sample count of a time after a presentation time in ticks of 90 kHz.
    func samples(at time: Duration, after ticks: Int64) -> Int64 {
        let nanoseconds = time.wholeNanoseconds
        return ticks * Int64(rate) / 90_000
            + nanoseconds / 1_000_000_000 * Int64(rate)
            + (nanoseconds % 1_000_000_000 * Int64(rate) + 500_000_000) / 1_000_000_000
    }

    // MARK: Pieces

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        four(UInt32(content.count + 8)) + Array(type.utf8) + content
    }

    private static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, UInt8(content.count)] + content
    }

    private static func fours(_ values: UInt32...) -> [UInt8] { values.flatMap(four) }

    private static func four(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
