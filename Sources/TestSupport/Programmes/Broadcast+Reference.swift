// SPDX-License-Identifier: MIT

import Instants
import TestTools

extension Broadcast {
    /// Creates a broadcast of a programme that ffmpeg has encoded.
    package init(_ programme: ReferenceProgramme) throws {
        let parameters = programme.parameters
        let encoding = parameters.encoding
        switch encoding.container {
        case .ogg:
            try self.init(ogg: programme.bytes, contentType: encoding.contentType, rate: parameters.granuleRate)
            return
        case .flac:
            try self.init(flac: programme.bytes, contentType: encoding.contentType, parameters.sampleRate)
            return
        case .mpegAudio, .adts: break
        }
        let samples =
            encoding.container == .adts ? 1024 : encoding.isLayerIII && parameters.sampleRate < 32_000 ? 576 : 1152
        let length = Duration.samples(Int64(samples), at: parameters.sampleRate)
        let frames = try SimpleFrames.split(programme.bytes, encoding.container)
        self.init(
            bytes: programme.bytes, container: encoding.container, contentType: encoding.contentType,
            frames: frames.map { ($0.endIndex, length) })
    }

    /// Creates a FLAC programme. Each listener gets the FLAC head first. All frames are treated as having the block
    /// size that the head states; ffmpeg's depends on the sample rate.
    private init(flac bytes: [UInt8], contentType: String, _ rate: Int) throws {
        let head = SimpleFLAC.headLength(bytes[...]) ?? 0
        let length = Duration.samples(Int64(bytes[10]) << 8 | Int64(bytes[11]), at: rate)
        var frames: [Frame] = []
        var units = [Unit(end: head, airs: .zero)]
        for bytes in try SimpleFrames.split(bytes, .flac) {
            let start = length * frames.count
            frames.append(Frame(bytes: bytes, start: start, length: length, offset: bytes.startIndex))
            units.append(Unit(end: bytes.endIndex, airs: start + length))
        }
        self.init(
            bytes: bytes, container: .flac, contentType: contentType, frames: frames, units: units,
            links: [(0, 0..<head)])
    }

    /// Creates a programme from an Ogg stream of one link. A page airs at the time of its granule position. The packets
    /// of a page have equal shares of the time since the previous page.
    private init(ogg bytes: [UInt8], contentType: String, rate: Int) throws {
        var pages = try SimpleOgg.pages(bytes)[...]
        // Header pages have granule position 0; audio pages never do.
        let headers = pages.prefix { $0.granule == 0 }
        pages = pages.dropFirst(headers.count)
        let packets = try SimpleOgg(bytes).packets
        var units = headers.map { Unit(end: $0.range.upperBound, airs: .zero) }
        var frames: [Frame] = []
        var (time, begins) = (Duration.zero, headers.last?.range.upperBound ?? 0)
        for page in pages {
            let airs = page.granule < 0 ? time : max(time, .samples(page.granule, at: rate))
            let length = page.packetsEnded > 0 ? (airs - time) / page.packetsEnded : .zero
            for number in 0..<page.packetsEnded where frames.count < packets.count {
                frames.append(
                    Frame(
                        bytes: packets[frames.count][...], start: time + length * number, length: length,
                        offset: number == 0 ? begins : page.range.lowerBound))
            }
            // A packet that continues in the next page started in this page or in an earlier one.
            begins = !page.endsInPacket ? page.range.upperBound : page.packetsEnded > 0 ? page.range.lowerBound : begins
            units.append(Unit(end: page.range.upperBound, airs: airs))
            time = airs
        }
        guard frames.count == packets.count else { throw SetupError("pages and packets do not agree") }
        self.init(
            bytes: bytes, container: .ogg, contentType: contentType, frames: frames, units: units,
            links: [(0, 0..<(headers.last?.range.upperBound ?? 0))])
    }
}

extension ReferenceProgramme.Parameters {
    /// Granule units per second; Opus always counts at 48 kHz (RFC 7845, section 4).
    fileprivate var granuleRate: Int {
        if case .opus = encoding { 48_000 } else { sampleRate }
    }
}
