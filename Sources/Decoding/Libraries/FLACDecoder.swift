// SPDX-License-Identifier: MIT

import CLibFLAC
import RadioCore
import RadioFormats

/// Decodes FLAC with libFLAC, with or without Ogg. The PCM of a frame comes out as soon as the frame is put, and does
/// not depend on earlier frames.
final class FLACDecoder: LibraryDecoder {
    /// The bytes before the STREAMINFO block in the first packet of FLAC in Ogg (RFC 9639 §10.1).
    private static let oggPrefix = 17
    private static let blockSizeField = 2..<4

    private let output: PCMFormat
    private let decoder: OpaquePointer
    let room: PCMRoom
    private let largestBlock: Int

    init(_ format: StreamFormat) throws(DecodingError) {
        try CodecLibrary.flac.require()
        let info = (format.headerPackets.first ?? []).dropFirst(format.container == .ogg ? Self.oggPrefix : 0)
        guard info.count >= AC_FLAC_STREAM_INFO, PCMFormat.channelCounts ~= format.channels,
            let decoder = info.withUnsafeBufferPointer({ $0.baseAddress.flatMap { ac_flac_create($0) } })
        else { throw .failed("malformed or unsupported FLAC headers") }
        self.decoder = decoder
        output = PCMFormat(sampleRate: format.sampleRate, channels: format.channels)
        let named = info.dropFirst(Self.blockSizeField.lowerBound).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        largestBlock = named > 0 ? named : Int(UInt16.max)
        room = PCMRoom(values: largestBlock * format.channels)
    }

    deinit { ac_flac_free(decoder) }

    func decode(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) {
        guard let bytes = frame.baseAddress else { throw .damagedFrame("no bytes") }
        let count = Int(
            ac_flac_decode(
                decoder, bytes, frame.count, CInt(output.channels), room.start, CInt(clamping: largestBlock)))
        guard count >= 0 else { throw .damagedFrame("libFLAC cannot decode it") }
        room.hold(output, values: 0..<count * output.channels, instant: instant)
    }
}
