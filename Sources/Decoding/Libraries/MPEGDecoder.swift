// SPDX-License-Identifier: MIT

import CLibMPG123
import RadioCore
import RadioFormats

/// Decodes MPEG audio, layers I to III, with libmpg123.
///
/// The library gets whole frames of one format and nothing else. The PCM of a frame comes out as soon as the frame is
/// put. The filters of layer III delay the output by ``layerIIIDelay``, so the PCM of a frame begins that much before
/// the frame, and its instant is earlier by as much. The delay of layers I and II is treated as part of the encoder
/// delay here, because encoders treat it that way.
final class MPEGDecoder: LibraryDecoder {
    /// The decoder delay of layer III in samples. It is 528 samples and one more: the value that LAME's tags assume.
    static let layerIIIDelay: Int64 = 529
    private static let largestFrame = 1_152

    private let format: StreamFormat
    private let output: PCMFormat
    private let decoder: OpaquePointer
    let room: PCMRoom
    /// The length in bytes of a free-format frame without padding, as passed to the library.
    private var freeFormatLength = 0

    init(_ format: StreamFormat) throws(DecodingError) {
        try CodecLibrary.mpg123.require()
        self.format = format
        guard 1...2 ~= format.channels, let decoder = ac_mpg123_create() else {
            throw .failed("libmpg123 cannot create a decoder")
        }
        self.decoder = decoder
        output = PCMFormat(sampleRate: format.sampleRate, channels: format.channels)
        room = PCMRoom(values: 2 * Self.largestFrame * format.channels)
    }

    deinit { ac_mpg123_free(decoder) }

    func decode(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) {
        guard let bytes = frame.baseAddress, let header = MPEGFrameHeader(frame), isOurs(header) else {
            throw damage("not a frame of this stream")
        }
        if header.isFreeFormat {
            setFreeFormat(frame.count - (header.isPadded ? header.slot : 0))
        } else if header.length != frame.count {
            throw damage("the frame is not complete")
        }
        let count = ac_mpg123_decode(decoder, bytes, frame.count, room.start, room.count)
        guard count >= 0 else { throw damage("libmpg123 cannot decode it") }
        // The library gives no PCM for this frame if it first needs more frames.
        guard count > 0 else { return }
        guard ac_mpg123_rate(decoder) == output.sampleRate, ac_mpg123_channels(decoder) == output.channels else {
            throw damage("libmpg123 changes its sample rate or channels")
        }
        let delay = header.layer == .three ? Self.layerIIIDelay : 0
        room.hold(output, values: 0..<count, instant: instant.subtractingReportingOverflow(delay).partialValue)
    }

    private func isOurs(_ header: MPEGFrameHeader) -> Bool {
        header.layer.rawValue == format.codec.layer && header.version == format.mpegVersion
            && header.sampleRate == format.sampleRate && header.channels == format.channels
    }

    /// Passes the frame length to the library. Otherwise the library would determine it from the next frame, but it
    /// gets only one frame at a time.
    private func setFreeFormat(_ length: Int) {
        guard length != freeFormatLength else { return }
        freeFormatLength = length
        _ = ac_mpg123_set_free_format(decoder, length)
        _ = ac_mpg123_reset(decoder)
    }

    private func damage(_ why: String) -> DecodingError {
        room.clear()
        return ac_mpg123_reset(decoder) ? .damagedFrame(why) : .failed("libmpg123 cannot be reset")
    }
}
