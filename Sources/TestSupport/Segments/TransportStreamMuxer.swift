// SPDX-License-Identifier: MIT

import RadioCore

/// Makes the segments of an MPEG transport stream from whole frames, one after the other, written from ISO/IEC 13818-1
/// and not from the code under test.
///
///     var muxer = TransportStreamMuxer(.adts, samplesPerFrame: 1024, sampleRate: 44_100)
///     let first = muxer.segment(frames[..<100])
///     let second = muxer.segment(frames[100...])
///     muxer.skip(frames: 50)  // left out: the time of the next frame is later by 50 frames
///
/// The time of a frame follows from its number: the count of frames and skipped frames before it. The same calls yield
/// the same bytes.
package struct TransportStreamMuxer {
    /// What the frames are: the stream type in the table.
    package enum Content: Hashable, Sendable {
        /// AAC frames with ADTS headers.
        case adts
        /// AAC frames with ADTS headers, which are written as LATM in LOAS.
        case latm
        /// MPEG audio, as type 3 (MPEG-1) or 4 (MPEG-2).
        case mpeg1, mpeg2
        /// Bytes of any type, such as 0x81 for AC-3 or 0xCF for SAMPLE-AES.
        case other(UInt8)
    }

    package struct Options: Hashable, Sendable {
        /// How many frames begin in a PES packet.
        package var framesInPES = 4
        /// The length in bytes of the payload of PES packets that are cut anywhere; nil if they are cut at frames.
        package var cutLength: Int?
        /// How many bytes of a segment's last frame are in the next segment.
        package var spill = 0
        /// Whether PES packets state their length.
        package var statesLength = true
        /// Whether continuity counters begin anew with each segment.
        package var restartsCounters = false
        /// Whether there is a stream of video, with content that means nothing.
        package var hasVideo = false
        /// The languages of the streams of audio. The first has the frames; the others have other bytes.
        package var languages: [String] = []
        /// Whether the table comes in two packets, because it has so many descriptors.
        package var hasLongTable = false
        /// LATM: after how many frames the configuration comes again.
        package var configurationInterval = 4

        package init() {}
    }

    /// The streams' numbers.
    package static let (tableStream, audioStream, videoStream, tagStream) = (0x1000, 0x101, 0x100, 0x102)

    package let content: Content
    package let options: Options
    /// The version of the tables.
    package var version: UInt8 = 0
    /// The number of the next frame.
    package private(set) var nextFrame: Int64 = 0
    private let (samplesPerFrame, sampleRate, startPTS): (Int, Int, Int64)
    package var counters: [Int: UInt8] = [:]
    /// What the last segment has left of its last frame.
    private var spilt: [UInt8] = []
    private var random = SplitMix64(seed: 188)

    package init(
        _ content: Content, samplesPerFrame: Int, sampleRate: Int, startPTS: Int64 = 900_000, options: Options = .init()
    ) {
        (self.content, self.options) = (content, options)
        (self.samplesPerFrame, self.sampleRate, self.startPTS) = (samplesPerFrame, sampleRate, startPTS)
    }

    /// The time of a frame in ticks of 90 kHz, modulo 2^33.
    package func time(ofFrame number: Int64) -> Int64 {
        (startPTS + (number * Int64(samplesPerFrame) * 90_000 + Int64(sampleRate) / 2) / Int64(sampleRate))
            & 0x1_FFFF_FFFF
    }

    /// Leaves out frames: the times go on, and the continuity counters do not.
    package mutating func skip(frames: Int64) { nextFrame += frames }

    /// The next segment. `tags` are whole ID3v2 tags; they come first, with the time of the first frame.
    package mutating func segment(_ frames: some Collection<[UInt8]>, tags: [[UInt8]] = []) -> [UInt8] {
        if options.restartsCounters { counters = [:] }
        var output = tables(hasTags: !tags.isEmpty)
        for tag in tags {
            output += packets(
                of: pes(tag, id: 0xBD, at: time(ofFrame: nextFrame), statesLength: true), in: Self.tagStream)
        }
        for (payload, time) in pieces(of: frames) {
            if options.hasVideo {
                let length = Int(truncatingIfNeeded: random.next() & 0x1FF)
                let picture = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                output += packets(of: pes(picture, id: 0xE0, at: time, statesLength: false), in: Self.videoStream)
            }
            output += packets(
                of: pes(payload, id: 0xC0, at: time, statesLength: options.statesLength), in: Self.audioStream,
                clock: time)
            for index in options.languages.indices.dropFirst() {
                let other = payload.map { $0 ^ UInt8(index) }
                output += packets(
                    of: pes(other, id: 0xC0 + UInt8(index), at: time, statesLength: true),
                    in: Self.audioStream + 0x10 * index)
            }
        }
        return output
    }

    /// The payloads of the PES packets, each with the time of the first frame that begins in it.
    private mutating func pieces(of frames: some Collection<[UInt8]>) -> [(payload: [UInt8], time: Int64?)] {
        var bytes = spilt
        var begins: [(place: Int, number: Int64)] = []
        for frame in frames {
            begins.append((bytes.count, nextFrame))
            bytes += content == .latm ? LOASWriter.frame(frame, hasConfiguration: isConfigured(nextFrame)) : frame
            nextFrame += 1
        }
        let end = bytes.count - min(options.spill, bytes.count)
        spilt = Array(bytes[end...])
        var cuts = [0]
        if let length = options.cutLength {
            cuts += stride(from: length, to: end, by: length)
        } else {
            cuts += begins.enumerated().filter { $0.offset % options.framesInPES == 0 }.map(\.element.place)
        }
        cuts = Array(Set(cuts.filter { $0 < end })).sorted()
        return cuts.enumerated().map { index, start in
            let stop = index + 1 < cuts.count ? cuts[index + 1] : end
            let first = begins.first { start..<stop ~= $0.place }
            return (Array(bytes[start..<stop]), first.map { time(ofFrame: $0.number) })
        }
    }

    private func isConfigured(_ number: Int64) -> Bool { number % Int64(options.configurationInterval) == 0 }
}
