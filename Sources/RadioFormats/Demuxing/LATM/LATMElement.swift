// SPDX-License-Identifier: MIT

/// Writes AAC out of LATM as ADTS (ISO/IEC 14496-3 §1.7.3, AudioMuxElement): one programme of one layer, whose frames
/// have 1024 samples and state their lengths. That is what stations send.
struct LATMElement {
    private struct MuxConfiguration {
        var codec: AACConfiguration
        /// How many further frames an element has.
        var moreFrames: Int
    }

    private var configuration: MuxConfiguration?

    /// Appends the frames of an element to `output`.
    mutating func write(_ element: UnsafeRawBufferPointer, to output: inout [UInt8]) throws(DemuxProblem) {
        var bits = BitReader(element)
        if try bits.next(1) == 0 {
            configuration = nil
            configuration = try Self.readConfiguration(&bits)
        }
        guard let configuration else { throw .malformed("there is no configuration of AAC") }
        for _ in 0...configuration.moreFrames {
            var length = 0
            while true {
                let part = try bits.next(8)
                length += part
                guard part == 255 else { break }
            }
            guard length > 0 else { continue }
            withUnsafeBytes(of: try configuration.codec.header(ofSize: length).bigEndian) {
                output.append(contentsOf: $0.suffix(ADTSHeader.byteCount))
            }
            try bits.copy(length, to: &output)
        }
    }

    /// StreamMuxConfig (§1.7.3.2.3).
    private static func readConfiguration(_ bits: inout BitReader) throws(DemuxProblem) -> MuxConfiguration {
        let hasVersion = try bits.next(1) == 1
        if hasVersion {
            guard try bits.next(1) == 0 else { throw .unsupported("AAC in LATM of version 2") }
            _ = try variable(&bits)
        }
        guard try bits.next(1) == 1 else { throw .unsupported("AAC in LATM of several framings") }
        let moreFrames = try bits.next(6)
        guard try bits.next(4) == 0 else { throw .unsupported("AAC in LATM of several programmes") }
        guard try bits.next(3) == 0 else { throw .unsupported("AAC in LATM of several layers") }
        let end = hasVersion ? try variable(&bits) : 0
        let start = bits.place
        let codec = try AACConfiguration(&bits, in: "LATM")
        if hasVersion { try bits.skip(start + end - bits.place) }
        guard try bits.next(3) == 0 else { throw .unsupported("AAC in LATM of constant frame length") }
        _ = try bits.next(8)
        if try bits.next(1) == 1 {
            // The length of other data, which lies behind the frames.
            if hasVersion {
                _ = try variable(&bits)
            } else {
                while try bits.next(1) == 1 { _ = try bits.next(8) }
                _ = try bits.next(8)
            }
        }
        if try bits.next(1) == 1 { _ = try bits.next(8) }
        return MuxConfiguration(codec: codec, moreFrames: moreFrames)
    }

    /// LatmGetValue: one to four bytes, and their number.
    private static func variable(_ bits: inout BitReader) throws(DemuxProblem) -> Int {
        let count = try bits.next(2) + 1
        return try bits.next(8 * count)
    }
}
