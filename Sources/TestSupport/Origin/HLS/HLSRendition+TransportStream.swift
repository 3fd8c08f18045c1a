// SPDX-License-Identifier: MIT

extension HLSRendition {
    /// A segment as a transport stream, whose continuity counters go on from the segment before.
    func transportStream(ofRun run: Int, segment index: Int) -> [UInt8] {
        let (from, segments) = cuts[run]
        var muxer = TransportStreamMuxer(content, samplesPerFrame: 1, sampleRate: 1)
        let (tables, audio) = (UInt8(index & 15), counters[run][index])
        muxer.counters = [
            0: tables, TransportStreamMuxer.tableStream: tables, TransportStreamMuxer.audioStream: audio,
        ]
        var output = muxer.tables(hasTags: false)
        for (bytes, place) in Self.packets(of: segments[index], in: programme) {
            let time = runs[run].ticks(at: programme.frames[place].start, from: from) & 0x1_FFFF_FFFF
            let packet = muxer.pes(Array(programme.bytes[bytes]), id: 0xC0, at: time, statesLength: true)
            output += muxer.packets(of: packet, in: TransportStreamMuxer.audioStream, clock: time)
        }
        return output
    }

    private var content: TransportStreamMuxer.Content {
        if programme.container == .adts { return .adts }
        return programme.bytes[1] & 8 != 0 ? .mpeg1 : .mpeg2
    }

    /// The PES packets of a segment: the bytes of about four frames each, and the place of the first that begins there.
    private static func packets(of segment: HLSSegment, in programme: Broadcast) -> [(bytes: Range<Int>, place: Int)] {
        let places = Array(stride(from: segment.places.lowerBound, to: segment.places.upperBound, by: 4))
        return places.indices.map { index in
            let start = index == 0 ? segment.bytes.lowerBound : programme.frames[places[index]].offset
            let isLast = index + 1 == places.count
            let end = isLast ? segment.bytes.upperBound : programme.frames[places[index + 1]].offset
            return (start..<end, places[index])
        }
    }

    /// The continuity counter of the audio at the start of each segment.
    static func counters(of segments: [HLSSegment], in programme: Broadcast) -> [UInt8] {
        var count = 0
        return segments.map { segment in
            defer {
                for (bytes, _) in packets(of: segment, in: programme) {
                    // The head of a PES packet has 14 bytes; its first packet has a clock of 8 bytes.
                    count += 1 + (max(0, bytes.count + 14 - 176) + 183) / 184
                }
            }
            return UInt8(count & 15)
        }
    }
}
