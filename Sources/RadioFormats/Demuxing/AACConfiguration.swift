// SPDX-License-Identifier: MIT

/// The configuration of a decoder of AAC (AudioSpecificConfig, ISO/IEC 14496-3 §1.6.2.1), as far as ADTS headers can
/// state it. What SBR and PS add is in the frames, so the headers state what the core has.
struct AACConfiguration: Hashable {
    /// The first bits of the headers, up to the length.
    private let fixed: UInt64

    /// Reads a configuration, and leaves `bits` behind it. `wrapper` is for messages.
    init(_ bits: inout BitReader, in wrapper: StaticString) throws(DemuxProblem) {
        var type = try Self.objectType(&bits)
        let rate = try Self.sampleRate(&bits)
        let channels = try bits.next(4)
        if type == 5 || type == 29 {
            _ = try Self.sampleRate(&bits)
            type = try Self.objectType(&bits)
        }
        guard type == 2 else {
            throw .unsupported("\(Self.names[type] ?? "AAC of object type \(type)") in \(wrapper)")
        }
        guard try bits.next(1) == 0 else { throw .unsupported("AAC with frames of 960 samples in \(wrapper)") }
        guard try bits.next(1) == 0 else { throw .unsupported("scalable AAC in \(wrapper)") }
        if try bits.next(1) == 1 { try bits.skip(1) }
        guard let rate, 1...7 ~= channels else {
            throw .unsupported("AAC with a sample rate or a channel layout of its own in \(wrapper)")
        }
        // Twelve bits of sync, MPEG-4, no layer, no checksum; profile, rate, channels; four further bits.
        fixed = 0xFFF1 << 14 | UInt64(type - 1) << 12 | UInt64(rate) << 8 | UInt64(channels) << 4
    }

    var sampleRate: Int { ADTSHeader.sampleRates[Int(fixed >> 8 & 0xF)] }

    /// The header of a frame whose content has this size, in the lower bytes.
    func header(ofSize size: Int) throws(DemuxProblem) -> UInt64 {
        let length = size + ADTSHeader.byteCount
        // A field of 13 bits.
        guard length <= 0x1FFF else { throw .malformed("a frame is longer than an ADTS header can state") }
        // A variable bit rate (buffer fullness 0x7FF), and one block.
        return fixed << 26 | UInt64(length) << 13 | 0x7FF << 2
    }

    private static func objectType(_ bits: inout BitReader) throws(DemuxProblem) -> Int {
        let type = try bits.next(5)
        return type == 31 ? 32 + (try bits.next(6)) : type
    }

    /// The index of a sample rate; nil for a rate that has none.
    private static func sampleRate(_ bits: inout BitReader) throws(DemuxProblem) -> Int? {
        let index = try bits.next(4)
        guard index == 15 else { return ADTSHeader.sampleRates.indices.contains(index) ? index : nil }
        return ADTSHeader.sampleRates.firstIndex(of: try bits.next(24))
    }

    private static let names = [
        1: "AAC Main", 3: "AAC SSR", 4: "AAC LTP", 23: "AAC-LD", 36: "ALS", 39: "AAC-ELD", 42: "xHE-AAC",
    ]
}
