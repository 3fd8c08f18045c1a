// SPDX-License-Identifier: MIT

import CLibOpus
import RadioCore
import RadioFormats

/// Decodes Opus with libopus, always at 48 kHz, with the gain that the stream specifies.
///
/// The PCM of a packet comes out as soon as the packet is put, at the packet's own instant, because the stream's
/// pre-skip covers the codec delay.
final class OpusDecoder: LibraryDecoder {
    private static let sampleRate = 48_000
    /// The samples of the longest packet: 120 ms (RFC 6716 §3.2.5).
    private static let largestPacket = 5_760

    private let output: PCMFormat
    private let decoder: OpaquePointer
    let room: PCMRoom
    /// How many samples of the pre-skip are still to be dropped.
    private var toSkip: Int

    /// With `atStart`, the first frame is the first of its stream, and the stream's pre-skip is dropped.
    init(_ format: StreamFormat, atStart: Bool) throws(DecodingError) {
        try CodecLibrary.opus.require()
        guard let head = format.headerPackets.first.flatMap(OpusHead.init),
            let decoder = ac_opus_create(
                CInt(head.channels), CInt(head.streams), CInt(head.coupled), head.mapping, CInt(head.gain))
        else { throw .failed("malformed or unsupported Opus headers") }
        self.decoder = decoder
        output = PCMFormat(sampleRate: Self.sampleRate, channels: head.channels)
        room = PCMRoom(values: Self.largestPacket * head.channels)
        toSkip = atStart ? head.preSkip : 0
    }

    deinit { ac_opus_free(decoder) }

    func decode(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) {
        guard let bytes = frame.baseAddress else { throw damage() }
        let count = Int(ac_opus_decode(decoder, bytes, frame.count, room.start, CInt(Self.largestPacket)))
        guard count >= 0 else { throw damage() }
        let skipped = min(toSkip, count)
        toSkip -= skipped
        room.hold(
            output, values: skipped * output.channels..<count * output.channels,
            instant: instant.addingReportingOverflow(Int64(skipped)).partialValue)
    }

    private func damage() -> DecodingError {
        ac_opus_reset(decoder)
        return .damagedFrame("libopus cannot decode it")
    }
}
