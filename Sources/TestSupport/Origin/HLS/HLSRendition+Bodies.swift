// SPDX-License-Identifier: MIT

import Instants
import TestTools

extension HLSRendition {
    /// The bytes of a segment, as a server sends them.
    package func body(ofRun run: Int, segment: Int) -> [UInt8] {
        let body = plain(run, segment)
        guard let key else { return body }
        let vector = key.vector ?? Self.vector(cuts[run].segments[segment].number)
        return AESEncryption(key: key.bytes).encrypt(body, vector: vector)
    }

    private func plain(_ number: Int, _ index: Int) -> [UInt8] {
        let (run, from, segment) = (runs[number], cuts[number].from, cuts[number].segments[index])
        switch packaging {
        case .packed:
            let title = tagsTitles ? title(at: segment.start) : nil
            let time = PackedAudioSegment.timeFrame(run.ticks(at: segment.start, from: from) & 0x1_FFFF_FFFF)
            let tag = PackedAudioSegment.tag([time] + (title.map { [PackedAudioSegment.text("TIT2", $0)] } ?? []))
            return tag + programme.bytes[segment.bytes]
        case .transportStream: return transportStream(ofRun: number, segment: index)
        case .fragments:
            let muxer = FragmentMuxer(programme)
            return muxer.fragment(
                segment.places, start: muxer.samples(at: segment.start - from, after: run.firstTime), number: index + 1)
        }
    }

    /// The file that begins with a segment, as far as it has been written at a time.
    func file(ofRun run: Int, segment: Int, at time: Duration) -> [UInt8] {
        let written = cuts[run].segments[segment...].prefix(segmentsPerFile).prefix { $0.listed + delay <= time }
        return written.indices.flatMap { body(ofRun: run, segment: $0) }
    }

    /// The initialisation section.
    package var initialisation: [UInt8] { FragmentMuxer(programme).initialisation }

    /// The initialisation vector of a segment whose tag states none: its number (RFC 8216 §5.2).
    private static func vector(_ number: Int) -> [UInt8] {
        (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) }
    }
}
