// SPDX-License-Identifier: MIT

/// Reads the head of a WAV file (RIFF, RF64, BW64) or an AIFF file (AIFF, AIFF-C), up to the samples. Incremental.
struct PCMHead {
    /// What the head says; nil while more of it is needed.
    private(set) var layout: PCMLayout?
    /// The offset of the next byte.
    private(set) var position: Int64 = 0
    /// How many of the next bytes say nothing.
    private(set) var skips: Int64 = 0

    private var held: [UInt8] = []
    private var isAIFF = false
    private var format: PCMLayout?
    /// The bytes of samples that RF64 states.
    private var longLength: Int64?
    /// Whether the head of the file has been read.
    private var isBegun = false

    private static let fileHead = 12
    private static let chunkHead = 8
    /// No chunk that is read is longer.
    private static let longestChunk = 4_096

    /// Passes over bytes that say nothing.
    mutating func skip() { (position, skips) = (position.addingSaturated(skips), 0) }

    /// Takes bytes, up to the first sample, and returns how many.
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(DemuxProblem) -> Int {
        var place = 0
        while place < bytes.count, layout == nil {
            if skips > 0 {
                let count = Int(min(skips, Int64(bytes.count - place)))
                (place, skips, position) = (place + count, skips - Int64(count), position + Int64(count))
                continue
            }
            held.append(bytes[place])
            (place, position) = (place + 1, position + 1)
            try look()
        }
        return place
    }

    /// Reads what is held, once it is whole.
    private mutating func look() throws(DemuxProblem) {
        guard isBegun else {
            guard held.count == Self.fileHead else { return }
            isAIFF = held.starts(with: Array("FORM".utf8))
            guard held[8...].starts(with: (isAIFF ? "AIF" : "WAVE").utf8) else { throw .malformed("it has no head") }
            (isBegun, held) = (true, [])
            return
        }
        guard held.count >= Self.chunkHead else { return }
        let bytes = held[...]
        let name = String(decoding: bytes.prefix(4), as: UTF8.self)
        let size = isAIFF ? bytes.bigEndian(at: 4, count: 4) : bytes.littleEndian(at: 4, count: 4)
        switch name {
        case "data" where !isAIFF: try begin(size == 0xFFFF_FFFF ? longLength ?? 0 : Int64(size))
        case "fmt ", "ds64", "COMM":
            guard size <= Self.longestChunk else { throw .malformed("its head is too long") }
            guard held.count == Self.chunkHead + size + size % 2 else { return }
            try read(name, held.dropFirst(Self.chunkHead))
            held = []
        case "SSND" where isAIFF:
            guard held.count == Self.chunkHead + 8 else { return }
            guard bytes.bigEndian(at: 8, count: 4) == 0 else { throw .unsupported("AIFF that is aligned to blocks") }
            try begin(max(0, Int64(size) - 8))
        default: (held, skips) = ([], Int64(size + size % 2))
        }
    }

    /// The samples begin. A length of 0 is that of a writer that did not know it.
    private mutating func begin(_ length: Int64) throws(DemuxProblem) {
        guard var format else { throw .malformed("its format is missing") }
        (format.start, format.length) = (position, length > 0 ? length : nil)
        layout = format
    }

    private mutating func read(_ name: String, _ bytes: ArraySlice<UInt8>) throws(DemuxProblem) {
        switch name {
        case "ds64" where bytes.count >= 16:
            let length = bytes.littleEndian(at: 8, count: 8)
            longLength = length > 0 ? Int64(length) : nil
        case "fmt " where bytes.count >= 16:
            let named = bytes.littleEndian(at: 0, count: 2)
            // In the extensible format, the code begins a longer number.
            let code = named == 0xFFFE && bytes.count >= 26 ? bytes.littleEndian(at: 24, count: 2) : named
            guard code == 1 || code == 3 else { throw .unsupported("compressed WAV (format \(code))") }
            let (channels, rate) = (bytes.littleEndian(at: 2, count: 2), bytes.littleEndian(at: 4, count: 4))
            // Samples fill whole bytes, so the stride tells their size, whatever bits are in use.
            let width = bytes.littleEndian(at: 12, count: 2) / max(1, channels)
            let coding = code == 3 ? PCMLayout.Coding.floats : .integers(isSigned: width > 1)
            try take(PCMLayout(coding, width: width, isBigEndian: false, channels: channels, sampleRate: rate))
        case "COMM" where bytes.count >= 18:
            let kind = bytes.count >= 22 ? String(decoding: bytes.dropFirst(18).prefix(4), as: UTF8.self) : "NONE"
            let width = (bytes.bigEndian(at: 6, count: 2) + 7) / 8
            let coding: PCMLayout.Coding
            switch kind {
            case "NONE", "twos", "sowt", "in24", "in32": coding = .integers(isSigned: true)
            case "fl32", "FL32", "fl64", "FL64": coding = .floats
            default: throw .unsupported("compressed AIFF (\(MP4BoxType(bytes.bigEndian(at: 18, count: 4))))")
            }
            try take(
                PCMLayout(
                    coding, width: width, isBigEndian: kind != "sowt", channels: bytes.bigEndian(at: 0, count: 2),
                    sampleRate: Self.extended(bytes.dropFirst(8))))
        default: break
        }
    }

    private mutating func take(_ format: PCMLayout?) throws(DemuxProblem) {
        guard let format else { throw .unsupported("PCM of an unusual rate, size or number of channels") }
        self.format = format
    }

    /// A number of the 80-bit format of floating point, rounded to a whole one; 0 if it is out of range.
    private static func extended(_ bytes: ArraySlice<UInt8>) -> Int {
        let exponent = bytes.bigEndian(at: 0, count: 2) & 0x7FFF
        guard (16_383..<16_383 + 32).contains(exponent) else { return 0 }
        let mantissa = UInt64(truncatingIfNeeded: bytes.bigEndian(at: 2, count: 8))
        return Int(mantissa >> UInt64(63 - (exponent - 16_383)))
    }
}
