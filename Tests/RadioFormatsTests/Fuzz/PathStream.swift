// SPDX-License-Identifier: MIT

/// Valid streams of each codec for tests of the whole path: short, with little in each frame, and with counters that
/// start near overflow.
enum PathStream: String, CaseIterable, Sendable {
    case mpeg, adts, opus, vorbis, flac
    /// FLAC in which each packet of seven bytes claims 65,535 samples.
    case claims
    /// Vorbis in three modes, with one byte in each packet.
    case tiny

    /// `count` frames of audio. The same seed gives the same frames, as a looped programme repeats them.
    func audio(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        switch self {
        case .mpeg:
            var source = SyntheticMPEG(seed: seed)
            return source.frames(count).flatMap { $0 }
        case .adts:
            return ADTSSample().frames(count, seed: seed).flatMap { $0 }
        case .opus:
            return ogg(OggSample.opusHeaders(title: "Opus"), samples: 960) {
                OggSample.opusPackets([Int](repeating: 40, count: count), seed: seed)
            }
        case .vorbis:
            return ogg(OggSample.vorbisHeaders(title: "Vorbis"), samples: 576) {
                (0..<count).map { [UInt8($0 % 2) << 1] + random.bytes(30) }
            }
        case .flac:
            return ogg(OggSample.flacHeaders(title: "FLAC"), samples: 4_096) {
                (0..<count).map { _ in [0xFF, 0xF8, 0xC0, 0, 0] + random.bytes(40) }
            }
        case .claims:
            var headers = OggSample.flacHeaders(picture: false)
            // STREAMINFO states block sizes of 16 to 65,535 samples.
            headers[0].replaceSubrange(17..<21, with: [0, 16, 0xFF, 0xFF])
            return ogg(headers, samples: 65_535) {
                (0..<count).map { _ in [0xFF, 0xF8, 0x70, 0, 0, 0xFF, 0xFE] }
            }
        case .tiny:
            return ogg(OggSample.vorbisHeaders(long: [false, true, false]), samples: 576) {
                (0..<count).map { [[0], [2], [4]][$0 % 3] }
            }
        }
    }

    /// A link whose positions, page numbers and serial number are at or near their maximum.
    private func ogg(_ headers: [[UInt8]], samples: Int64, _ packets: () -> [[UInt8]]) -> [UInt8] {
        let serial = UInt32.max
        var number = UInt32.max - 3
        var granule = Int64.max - 20 * samples
        var pages: [UInt8] = OggSample.page(
            [UInt8(headers[0].count)], headers[0], serial: serial, sequence: number, flags: OggSample.begin)
        for page in OggSample.pages(Array(headers[1...]), serial: serial, from: number &+ 1) {
            number &+= 1
            pages += page
        }
        let packets = packets()
        for start in stride(from: 0, to: packets.count, by: 10) {
            let held = packets[start..<min(start + 10, packets.count)]
            number &+= 1
            granule &+= samples * Int64(held.count)
            pages += OggSample.page(
                held.map { UInt8($0.count) }, held.flatMap { $0 }, serial: serial, sequence: number, granule: granule)
        }
        return pages
    }

    /// The same audio with ICY metadata blocks in it.
    static func withMetadata(_ audio: [UInt8], every interval: Int, _ titles: [String]) -> [UInt8] {
        var body: [UInt8] = []
        var number = 0
        for start in stride(from: 0, to: audio.count, by: interval) {
            body += audio[start..<min(start + interval, audio.count)]
            guard start + interval <= audio.count else { break }
            let text = Array("StreamTitle='\(titles[number % titles.count])';".utf8.prefix(4_080))
            number += 1
            body += [UInt8((text.count + 15) / 16)] + text
            body += [UInt8](repeating: 0, count: (16 - text.count % 16) % 16)
        }
        return body
    }
}
