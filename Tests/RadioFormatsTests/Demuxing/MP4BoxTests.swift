// SPDX-License-Identifier: MIT

import RadioFormats
import Testing

/// Boxes that no encoder at hand writes.
struct MP4BoxTests {
    /// AAC-LC, 44.1 kHz, stereo.
    private static let plain: [UInt8] = [0x12, 0x10]

    @Test(
        "HE-AAC gets the header of its core, however it is announced",
        arguments: [
            // Object type 5: 24 kHz, stereo, played at 48 kHz; the core is AAC-LC.
            ([0x2B, 0x11, 0x88, 0x00], [0xFF, 0xF1, 0x58, 0x80] as [UInt8]),
            // Object type 29, with parametric stereo: one channel in the core.
            ([0xEB, 0x09, 0x88, 0x00], [0xFF, 0xF1, 0x58, 0x40]),
            // AAC-LC with an extension behind it.
            ([0x13, 0x10, 0x56, 0xE5, 0x98], [0xFF, 0xF1, 0x58, 0x80]),
            // A rate that is spelled out.
            ([0x17, 0x80, 0x2E, 0xE0, 0x10], [0xFF, 0xF1, 0x58, 0x80]),
        ])
    func highEfficiency(_ configuration: [UInt8], _ head: [UInt8]) {
        let file = Self.movie(Self.track(configuration)) + Self.fragment([Self.sample])
        let said = DemuxTranscript(of: [file[...]], by: MP4Demuxer())
        // 7 + 10 bytes, and a variable bit rate.
        #expect(said.audio == head + [0x02, 0x3F, 0xFC] + Self.sample)
    }

    @Test(
        "What ADTS cannot say is refused by name",
        arguments: [
            ([0xF9, 0x48, 0x48] as [UInt8], "xHE-AAC in MP4"), ([0xF8, 0xE8, 0x40], "AAC-ELD in MP4"),
            ([0x0A, 0x10], "AAC Main in MP4"), ([0x12, 0x14], "AAC with frames of 960 samples in MP4"),
            ([0x12, 0x00], "AAC with a sample rate or a channel layout of its own in MP4"),
        ])
    func otherProfiles(_ configuration: [UInt8], _ name: String) {
        let file = Self.movie(Self.track(configuration))
        #expect(DemuxTranscript(of: [file[...]], by: MP4Demuxer()).problem == .unsupported(name))
    }

    @Test("A frame that is too long for its header is malformed")
    func longFrame() {
        let file = Self.movie(Self.track(Self.plain)) + Self.fragment([[UInt8](repeating: 1, count: 8185)])
        guard case .malformed = DemuxTranscript(of: [file[...]], by: MP4Demuxer()).problem else {
            Issue.record("it is taken")
            return
        }
    }

    @Test("Tags in event messages come before the frames of their fragment", arguments: [0, 1])
    func messages(_ version: UInt8) {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 2, 1, 2]
        let names = Array("https://aomedia.org/emsg/ID3".utf8) + [0, 0]
        let numbers = [UInt8](repeating: 0, count: version == 0 ? 16 : 20)
        let message = Self.box("emsg", [version, 0, 0, 0] + (version == 0 ? names + numbers : numbers + names) + tag)
        let other = Self.box("emsg", [0, 0, 0, 0] + Array("urn:scte:scte35:2013:bin".utf8) + [0, 0] + numbers)
        let file =
            Self.movie(Self.track(Self.plain)) + Self.fragment([Self.sample]) + message + other
            + Self.fragment([Self.sample])
        let said = DemuxTranscript(of: [file[...]], by: MP4Demuxer())
        #expect(said.tags == [.init(place: 17, value: tag)] && said.audio.count == 34)
    }

    @Test("Runs of several tracks, with long sizes and a box without an end, yield the audio track")
    func runs() {
        let (one, two, three) = (Self.sample, Self.sample.map { $0 + 1 }, Self.sample.map { $0 + 2 })
        let film = [UInt8](repeating: 9, count: 33)
        // The tracks lie one behind the other: film, two runs of audio.
        var length = 0
        for _ in 0..<2 {
            let place = UInt32(length + 16)
            let films = Self.box("traf", Self.header(2, 0x02_0000) + Self.run([film.count], at: place))
            let later = place + UInt32(film.count)
            let audio = Self.box(
                "traf",
                Self.header(1, 0x02_0000) + Self.box("tfdt", [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 5])
                    + Self.run([10, 10], at: later) + Self.run([10], at: nil))
            let fragment = Self.box("moof", Self.box("mfhd", [UInt8](repeating: 0, count: 8)) + films + audio)
            guard length > 0 else {
                length = fragment.count
                continue
            }
            let payload = film + one + two + three
            let long: [UInt8] =
                [0, 0, 0, 1] + Array("mdat".utf8) + Self.number(0, 4) + Self.number(payload.count + 16, 4)
            let file = Self.movie(Self.track(Self.plain)) + fragment + long + payload
            let said = DemuxTranscript(of: [file[...]], by: MP4Demuxer())
            #expect(Self.payloads(said.audio) == [one, two, three] && said.losses == [])
            #expect(said.times.map(\.value) == [MediaTime(ticks: 1 << 32 + 5, scale: 44_100)])

            let open = [0, 0, 0, 0] + Array("mdat".utf8) + [UInt8](repeating: 0, count: 8) + payload
            let endless = Self.movie(Self.track(Self.plain)) + fragment + open
            #expect(DemuxTranscript(of: [endless[...]], by: MP4Demuxer()) == said)
        }
    }

    @Test("A fragment whose data ends too early is lost from there on, and the next one is not")
    func shortData() {
        let cut = Self.fragment([Self.sample, Self.sample])
        let size = cut.count
        var short = Array(cut.dropLast(5))
        // The box of the data says so.
        short[size - 20 - 5] = 23
        let file = Self.movie(Self.track(Self.plain)) + short + Self.fragment([Self.sample])
        let said = DemuxTranscript(of: [file[...]], by: MP4Demuxer())
        #expect(said.problem == nil && said.losses.count == 1 && said.audio.count == 17 + 12 + 17)
    }

    @Test("What is no MP4, or has no audio, is told")
    func others() {
        let noise: [UInt8] = [0, 0, 0, 20, 1, 2, 3, 4]
        guard case .malformed = DemuxTranscript(of: [noise[...]], by: MP4Demuxer()).problem else {
            Issue.record("noise is taken")
            return
        }
        #expect(DemuxTranscript(of: [Self.box("free", [1, 2])[...]], by: MP4Demuxer()).problem == .noAudio)
        #expect(DemuxTranscript(of: [Self.box("moov", [])[...]], by: MP4Demuxer()).problem == .noAudio)
    }

    // MARK: - Boxes

    private static let sample: [UInt8] = Array(10...19)

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + Array(type.utf8) + content
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func movie(_ track: [UInt8]) -> [UInt8] {
        box("ftyp", Array("isom".utf8) + zeros(4)) + box("moov", box("mvhd", zeros(100)) + track)
    }

    /// An audio track without samples of its own, and with the number 1.
    private static func track(_ configuration: [UInt8]) -> [UInt8] {
        func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
        let decoder = descriptor(4, [0x40, 0x15] + zeros(11) + descriptor(5, configuration))
        let esds = box("esds", zeros(4) + descriptor(3, zeros(3) + decoder))
        let descriptions = box("stsd", zeros(4) + number(1, 4) + box("mp4a", zeros(28) + esds))
        let tables = ["stts", "stsc", "stco"].flatMap { box($0, zeros(8)) } + box("stsz", zeros(12))
        let media =
            box("mdhd", zeros(12) + number(44_100, 4) + zeros(8))
            + box("hdlr", zeros(8) + Array("soun".utf8) + zeros(13))
            + box("minf", box("stbl", descriptions + tables))
        return box("trak", box("tkhd", zeros(12) + number(1, 4) + zeros(68)) + box("mdia", media))
    }

    private static func header(_ track: Int, _ flags: Int) -> [UInt8] {
        box("tfhd", number(flags, 4) + number(track, 4))
    }

    private static func run(_ sizes: [Int], at place: UInt32?) -> [UInt8] {
        box(
            "trun",
            number(0x200 + (place == nil ? 0 : 1), 4) + number(sizes.count, 4)
                + (place.map { number(Int($0), 4) } ?? []) + sizes.flatMap { number($0, 4) })
    }

    /// A fragment with samples of the track 1.
    private static func fragment(_ samples: [[UInt8]]) -> [UInt8] {
        func moof(_ place: Int) -> [UInt8] {
            box("moof", box("traf", header(1, 0x02_0000) + run(samples.map(\.count), at: UInt32(place))))
        }
        return moof(moof(0).count + 8) + box("mdat", samples.flatMap(\.self))
    }

    /// The frames of ADTS without their headers.
    private static func payloads(_ audio: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: audio.count, by: 17).map { Array(audio[($0 + 7)..<min($0 + 17, audio.count)]) }
    }
}
