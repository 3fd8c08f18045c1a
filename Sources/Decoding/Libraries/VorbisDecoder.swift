// SPDX-License-Identifier: MIT

import CLibVorbis
import RadioCore
import RadioFormats

/// Decodes Vorbis with libvorbis.
///
/// The first packet gives no PCM. Each later packet overlaps the packet before it, and gives the PCM of the overlap.
/// The PCM is at the later packet's own instant, because positions count the samples that packets complete.
final class VorbisDecoder: LibraryDecoder {
    private let output: PCMFormat
    private let order: [UInt8]
    private let decoder: OpaquePointer
    let room: PCMRoom
    private let largestBlock: Int

    init(_ format: StreamFormat) throws(DecodingError) {
        try CodecLibrary.vorbis.require()
        let problem = DecodingError.failed("malformed or unsupported Vorbis headers")
        guard format.headerPackets.count == 3, let decoder = ac_vorbis_create() else { throw problem }
        var isStarted = false
        defer { if !isStarted { ac_vorbis_free(decoder) } }
        for packet in format.headerPackets {
            guard ac_vorbis_take_header(decoder, packet, packet.count) else { throw problem }
        }
        let channels = Int(ac_vorbis_channels(decoder))
        guard PCMFormat.channelCounts ~= channels, ac_vorbis_start(decoder) else { throw problem }
        isStarted = true
        self.decoder = decoder
        output = PCMFormat(sampleRate: format.sampleRate, channels: channels)
        order = ChannelOrder.ofVorbis(channels)
        largestBlock = Int(ac_vorbis_largest_block(decoder))
        room = PCMRoom(values: largestBlock * channels)
    }

    deinit { ac_vorbis_free(decoder) }

    func decode(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) {
        guard let bytes = frame.baseAddress else { throw damage() }
        let count = Int(ac_vorbis_decode(decoder, bytes, frame.count, order, room.start, CInt(largestBlock)))
        guard count >= 0 else { throw damage() }
        room.hold(output, values: 0..<count * output.channels, instant: instant)
    }

    private func damage() -> DecodingError {
        ac_vorbis_reset(decoder)
        return .damagedFrame("libvorbis cannot decode it")
    }
}
