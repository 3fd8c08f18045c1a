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
            return PackedAudioTag.bytes(ticks: run.ticks(at: segment.start, from: from))
                + programme.bytes[segment.bytes]
        case .transportStream: return transportStream(ofRun: number, segment: index)
        case .fragments:
            let muxer = FragmentMuxer(programme)
            return muxer.fragment(
                segment.places, start: muxer.samples(at: segment.start - from, after: run.firstTime), number: index + 1)
        }
    }

    /// The initialisation section.
    package var initialisation: [UInt8] { FragmentMuxer(programme).initialisation }

    /// The initialisation vector of a segment whose tag states none: its number (RFC 8216 §5.2).
    private static func vector(_ number: Int) -> [UInt8] {
        (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) }
    }
}

/// The ID3 tag at the start of a packed segment: a PRIV frame with the time of its first frame (RFC 8216 §3.4).
package enum PackedAudioTag {
    package static func bytes(ticks: Int64) -> [UInt8] {
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
        let time = UInt64(truncatingIfNeeded: ticks) & ((1 << 33) - 1)
        let stamp = (0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * (7 - UInt64($0)))) }
        let content = owner + stamp
        let frame = Array("PRIV".utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    }
}
