// SPDX-License-Identifier: MIT

/// The header of a FLAC frame (RFC 9639 §9.1).
struct FLACFrameHeader: Hashable {
    /// The size of the longest header in bytes.
    static let longest = 16

    /// Whether the block size may vary: ``number`` then counts samples, otherwise frames.
    let isVariable: Bool
    /// The number of this frame, or of its first sample.
    let number: Int64
    /// The samples per channel.
    let samples: Int
    /// The sample rate; nil if STREAMINFO has to state it.
    let sampleRate: Int?
    let channels: Int
    /// The bits per sample; nil if STREAMINFO has to state them.
    let bitsPerSample: Int?

    /// Parses the header at the front of `bytes`; nil if there is none, or if it is incomplete.
    init?(_ bytes: UnsafeRawBufferPointer) {
        // Fifteen bits of sync, and a reserved bit at the end of the fourth byte.
        guard bytes.count >= 6, Self.isSync(bytes), bytes[3] & 1 == 0,
            let number = Self.number(bytes), let samples = Self.blockSize(bytes), samples <= FLACStreamInfo.largestBlock
        else { return nil }
        let (rateCode, channelCode, sizeCode) = (Int(bytes[2] & 0xF), Int(bytes[3] >> 4), Int(bytes[3] >> 1 & 7))
        guard rateCode != 15, channelCode <= 10, sizeCode != 3 else { return nil }
        let rate = 4 + number.length + Self.blockSizeLength(bytes)
        let checksum = rate + (rateCode < 12 ? 0 : rateCode == 12 ? 1 : 2)
        guard checksum < bytes.count,
            FLACHeaderChecksum.of(UnsafeRawBufferPointer(rebasing: bytes[...checksum])) == 0
        else { return nil }
        isVariable = bytes[1] & 1 == 1
        self.number = number.value
        self.samples = samples
        sampleRate =
            switch rateCode {
            case 12: Int(bytes[rate]) * 1_000
            case 13: Int(bytes[rate]) << 8 | Int(bytes[rate + 1])
            case 14: (Int(bytes[rate]) << 8 | Int(bytes[rate + 1])) * 10
            default: Self.sampleRates[rateCode]
            }
        // Codes 8 to 10: two channels as left and side, side and right, mid and side.
        channels = channelCode < 8 ? channelCode + 1 : 2
        bitsPerSample = Self.sampleSizes[sizeCode]
    }

    /// The number of the frame that follows this one.
    var nextNumber: Int64 { number + (isVariable ? Int64(samples) : 1) }

    /// Whether `bytes` begin with the sync code of a frame.
    static func isSync(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= 2 && bytes[0] == 0xFF && bytes[1] & 0xFE == 0xF8
    }

    /// The number of samples that the header at the front of `bytes` states; nil if the code is reserved or bytes are
    /// missing.
    static func blockSize(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count >= 5 else { return nil }
        switch bytes[2] >> 4 {
        case 0: return nil
        case 1: return 192
        case let code where code <= 5: return 144 << code
        case let code where code >= 8: return 1 << code
        case let code:
            // The number of samples minus one follows the frame's own number.
            let place = 4 + max(1, codedLength(bytes))
            guard bytes.count >= place + Int(code) - 5 else { return nil }
            return (code == 6 ? Int(bytes[place]) : Int(bytes[place]) << 8 | Int(bytes[place + 1])) + 1
        }
    }

    /// How many header bytes hold the block size; 0 if the four-bit code states it.
    private static func blockSizeLength(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch bytes[2] >> 4 {
        case 6: 1
        case 7: 2
        default: 0
        }
    }

    /// The length of the coded number in bytes, by its first byte; 0 means 1.
    private static func codedLength(_ bytes: UnsafeRawBufferPointer) -> Int { (~bytes[4]).leadingZeroBitCount }

    /// Parses the number, which has up to 36 bits and is coded like a UTF-8 character.
    private static func number(_ bytes: UnsafeRawBufferPointer) -> (value: Int64, length: Int)? {
        let coded = codedLength(bytes)
        let length = max(1, coded)
        guard coded != 1, coded != 8, bytes.count >= 4 + length else { return nil }
        var value = Int64(bytes[4]) & (0xFF >> Int64(coded + 1))
        for byte in bytes[5..<4 + length] {
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | Int64(byte & 0x3F)
        }
        return (value, length)
    }

    private static let sampleRates = [
        nil, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
    ]
    private static let sampleSizes = [nil, 8, 12, nil, 16, 20, 24, 32]
}
