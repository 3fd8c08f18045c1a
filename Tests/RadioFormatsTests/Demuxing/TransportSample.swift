// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport

/// Frames and the transport stream that has them, in segments.
struct TransportSample {
    let frames: [[UInt8]]
    private(set) var segments: [[UInt8]] = []
    let muxer: TransportStreamMuxer

    /// ADTS frames at 44.1 kHz.
    init(
        _ content: TransportStreamMuxer.Content = .adts, frames count: Int = 120, inSegment: Int = 40, seed: UInt64 = 1,
        startPTS: Int64 = 900_000, _ change: (inout TransportStreamMuxer.Options) -> Void = { _ in }
    ) {
        var options = TransportStreamMuxer.Options()
        change(&options)
        frames = ADTSSample().frames(count, seed: seed, wild: true)
        var muxer = TransportStreamMuxer(
            content, samplesPerFrame: 1024, sampleRate: 44_100, startPTS: startPTS, options: options)
        for start in stride(from: 0, to: count, by: inSegment) {
            segments.append(muxer.segment(frames[start..<min(count, start + inSegment)]))
        }
        self.muxer = muxer
    }

    /// The bytes of all segments.
    var bytes: [UInt8] { segments.flatMap { $0 } }

    /// The packets of all segments.
    var packets: [[UInt8]] {
        let bytes = bytes
        return stride(from: 0, to: bytes.count, by: 188).map { Array(bytes[$0..<$0 + 188]) }
    }

    /// The number of the stream that a packet belongs to.
    static func stream(of packet: [UInt8]) -> Int { Int(packet[1] & 0x1F) << 8 | Int(packet[2]) }

    static func isAudio(_ packet: [UInt8]) -> Bool { stream(of: packet) == TransportStreamMuxer.audioStream }
}
