// SPDX-License-Identifier: MIT

/// Writes AAC out of LATM as ADTS (ISO/IEC 14496-3 §1.7.3, AudioMuxElement): one programme of one layer, whose frames
/// have 1024 samples and state their lengths. That is what stations send.
struct LATMElement {
    /// Why an element yields nothing.
    enum Fault: Error {
        /// The element is damaged, or came before a configuration.
        case damaged
        /// What it has is not supported, such as "AAC in LATM of several layers".
        case unsupported(String)
    }

    private struct MuxConfiguration {
        /// The first bits of ADTS headers, up to the length, as a number of 30 bits.
        var header = 0
        /// How many further frames an element has.
        var moreFrames = 0
        /// Bits of other data behind the frames.
        var hasOtherData = false
    }

    private var configuration: MuxConfiguration?

    /// Appends the frames of an element to `output`.
    mutating func write(_ element: UnsafeRawBufferPointer, to output: inout [UInt8]) throws(Fault) {
        var bits = BitReader(element)
        let keeps = try Self.number(&bits, 1)
        if keeps == 0 {
            configuration = nil
            configuration = try Self.readConfiguration(&bits)
        }
        guard let configuration else { throw .damaged }
        for _ in 0...configuration.moreFrames {
            var length = 0
            while true {
                let part = try Self.number(&bits, 8)
                length += part
                guard part == 255 else { break }
            }
            let size = ADTSHeader.byteCount + length
            guard size <= 0x1FFF else { throw .damaged }
            guard length > 0 else { continue }
            let header = configuration.header << 26 | size << 13 | 0x7FF << 2
            for shift in stride(from: 48, through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: header >> shift))
            }
            guard bits.copy(length, to: &output) != nil else { throw .damaged }
        }
    }

    private static func number(_ bits: inout BitReader, _ count: Int) throws(Fault) -> Int {
        guard let value = bits.next(count) else { throw .damaged }
        return value
    }

    /// StreamMuxConfig (§1.7.3.2.3).
    private static func readConfiguration(_ bits: inout BitReader) throws(Fault) -> MuxConfiguration {
        let hasVersion = try number(&bits, 1) == 1
        if hasVersion {
            guard try number(&bits, 1) == 0 else { throw .unsupported("AAC in LATM of version 2") }
            _ = try variable(&bits)
        }
        guard try number(&bits, 1) == 1 else { throw .unsupported("AAC in LATM of several framings") }
        var configuration = MuxConfiguration()
        configuration.moreFrames = try number(&bits, 6)
        guard try number(&bits, 4) == 0 else { throw .unsupported("AAC in LATM of several programmes") }
        guard try number(&bits, 3) == 0 else { throw .unsupported("AAC in LATM of several layers") }
        let end = hasVersion ? try variable(&bits) : 0
        let start = bits.place
        configuration.header = try readCodec(&bits)
        if hasVersion, bits.skip(start + end - bits.place) == nil { throw .damaged }
        guard try number(&bits, 3) == 0 else { throw .unsupported("AAC in LATM of constant frame length") }
        _ = try number(&bits, 8)
        if try number(&bits, 1) == 1 {
            // The length of other data, which lies behind the frames.
            if hasVersion {
                _ = try variable(&bits)
            } else {
                while try number(&bits, 1) == 1 { _ = try number(&bits, 8) }
                _ = try number(&bits, 8)
            }
        }
        if try number(&bits, 1) == 1 { _ = try number(&bits, 8) }
        return configuration
    }

    /// LatmGetValue: one to four bytes, and their number.
    private static func variable(_ bits: inout BitReader) throws(Fault) -> Int {
        let count = try number(&bits, 2) + 1
        return try number(&bits, 8 * count)
    }

    /// AudioSpecificConfig (§1.6.2.1). What SBR and PS add is in the frames, so the header states what the core has.
    private static func readCodec(_ bits: inout BitReader) throws(Fault) -> Int {
        var type = try objectType(&bits)
        let rate = try rateIndex(&bits)
        let channels = try number(&bits, 4)
        if type == 5 || type == 29 {
            _ = try rateIndex(&bits)
            type = try objectType(&bits)
        }
        guard type == 2 else { throw .unsupported("AAC in LATM of object type \(type)") }
        guard 1...7 ~= channels, rate < 13 else { throw .unsupported("AAC in LATM of unusual rate or channels") }
        guard try number(&bits, 1) == 0 else { throw .unsupported("AAC in LATM of frames of 960 samples") }
        guard try number(&bits, 2) == 0 else { throw .unsupported("AAC in LATM of scalable audio") }
        // Twelve bits of sync, MPEG-4 without a checksum, profile, rate, channels, four further bits.
        return 0xFFF1 << 14 | (type - 1) << 12 | rate << 8 | channels << 4
    }

    private static func objectType(_ bits: inout BitReader) throws(Fault) -> Int {
        let type = try number(&bits, 5)
        return type == 31 ? 32 + (try number(&bits, 6)) : type
    }

    private static func rateIndex(_ bits: inout BitReader) throws(Fault) -> Int {
        let index = try number(&bits, 4)
        if index == 15 { _ = try number(&bits, 24) }
        return index
    }
}
