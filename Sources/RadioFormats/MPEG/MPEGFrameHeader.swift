// SPDX-License-Identifier: MIT

/// The four bytes that begin every MPEG audio frame (ISO 11172-3, 13818-3; 2.5 is Fraunhofer's extension).
///
/// Stores only the validated word; everything else is derived from it.
package struct MPEGFrameHeader: Hashable, Sendable {
    package enum Layer: Int, Hashable, Sendable {
        case one = 1
        case two, three
    }

    package enum Mode: UInt32, Hashable, Sendable {
        case stereo, jointStereo, dualChannel, mono
    }

    static let byteCount = 4

    /// The four bytes, first byte highest.
    package private(set) var word: UInt32

    /// Creates the header with this word. Nil if `word` cannot begin a frame: no sync, or a reserved version, layer,
    /// bit rate or sample rate.
    ///
    /// A reserved emphasis is accepted: decoders ignore it.
    package init?(word: UInt32) {
        guard
            word & Bits.sync == Bits.sync,
            word & Bits.version != Bits.reservedVersion,
            word & Bits.layer != 0,
            word & Bits.bitRate != Bits.bitRate,
            word & Bits.sampleRate != Bits.sampleRate
        else { return nil }
        self.word = word
    }

    /// Parses the header at the beginning of `bytes`.
    package init?(_ bytes: some Sequence<UInt8>) {
        var word: UInt32 = 0
        var count = 0
        for byte in bytes.prefix(4) {
            word = word << 8 | UInt32(byte)
            count += 1
        }
        guard count == 4 else { return nil }
        self.init(word: word)
    }

    /// Sets a word that differs only in the padding and mode extension bits, of which every value is valid.
    mutating func alter(to word: UInt32) { self.word = word }

    package var version: StreamFormat.MPEGVersion {
        switch word & Bits.version {
        case Bits.version: .mpeg1
        case 0: .mpeg25
        default: .mpeg2
        }
    }

    package var layer: Layer {
        switch word & Bits.layer {
        case Bits.layer: .one
        case 0x4_0000: .two
        default: .three
        }
    }

    package var mode: Mode { Mode(rawValue: word >> 6 & 3) ?? .stereo }
    package var channels: Int { mode == .mono ? 1 : 2 }
    /// Joint stereo: which parts are coded jointly, 0 to 3.
    var modeExtension: Int { Int((word & Bits.modeExtension) >> 4) }
    /// Whether two bytes of CRC stand between the header and the side information.
    package var hasChecksum: Bool { word & Bits.noChecksum == 0 }
    package var isPadded: Bool { word & Bits.padding != 0 }
    /// Whether the bit rate is not stated, so that only the distance between two headers gives the length of a frame.
    package var isFreeFormat: Bool { word & Bits.bitRate == 0 }

    /// Bits per second; 0 in free format.
    package var bitRate: Int {
        let index = Int(word >> 12 & 15)
        return switch (version, layer) {
        case (.mpeg1, .one): 32_000 * index
        case (.mpeg1, .two): Self.bitRates1Layer2[index] * 1000
        case (.mpeg1, .three): Self.bitRates1Layer3[index] * 1000
        case (_, .one): Self.bitRates2Layer1[index] * 1000
        case (_, .two), (_, .three): Self.bitRates2[index] * 1000
        }
    }

    package var sampleRate: Int {
        let rate =
            switch word >> 10 & 3 {
            case 0: 44_100
            case 1: 48_000
            default: 32_000
            }
        return switch version {
        case .mpeg25: rate / 4
        case .mpeg2: rate / 2
        case .mpeg1, .mpeg4: rate
        }
    }

    /// The samples of the frame per channel.
    package var samples: Int {
        switch layer {
        case .one: 384
        case .two: 1152
        case .three: version == .mpeg1 ? 1152 : 576
        }
    }

    /// The number of bytes that the padding bit adds.
    package var slot: Int { layer == .one ? 4 : 1 }

    /// The size of the frame in bytes without padding, header included; nil in free format.
    package var unpaddedLength: Int? {
        guard !isFreeFormat else { return nil }
        return samples / (8 * slot) * bitRate / sampleRate * slot
    }

    /// The size of the whole frame in bytes, header included; nil in free format.
    package var length: Int? {
        unpaddedLength.map { $0 + (isPadded ? slot : 0) }
    }

    /// Layer III: the bytes of side information after the header and its checksum; 0 in layers I and II.
    package var sideInformationLength: Int {
        guard layer == .three else { return 0 }
        return switch (version, channels) {
        case (.mpeg1, 1): 17
        case (.mpeg1, _): 32
        case (_, 1): 9
        default: 17
        }
    }

    /// The offset of the main data of layer III in the frame: after header, checksum and side information.
    package var mainDataOffset: Int { 4 + (hasChecksum ? 2 : 0) + sideInformationLength }

    package var format: StreamFormat {
        let codec: Codec =
            switch layer {
            case .one: .mp1
            case .two: .mp2
            case .three: .mp3
            }
        return StreamFormat(codec: codec, mpegVersion: version, sampleRate: sampleRate, channels: channels)
    }

    /// A key that is equal for frames that may follow each other without a new format. It consists of version, layer,
    /// sample rate, and whether the frame is mono.
    var formatKey: UInt32 {
        let mono: UInt32 = mode == .mono ? 1 : 0
        return word & (Bits.sync | Bits.version | Bits.layer | Bits.sampleRate) | mono
    }

    /// The same header without padding and checksum, and with the bit rate of this index, from 1 to 14.
    func plain(bitRateIndex: UInt32) -> MPEGFrameHeader? {
        MPEGFrameHeader(word: word & ~(Bits.bitRate | Bits.padding) | bitRateIndex << 12 | Bits.noChecksum)
    }

    /// Masks of the word's fields.
    enum Bits {
        static let sync: UInt32 = 0xffe0_0000
        static let version: UInt32 = 0x0018_0000
        static let reservedVersion: UInt32 = 0x0008_0000
        static let layer: UInt32 = 0x0006_0000
        static let noChecksum: UInt32 = 0x0001_0000
        static let bitRate: UInt32 = 0x0000_f000
        static let sampleRate: UInt32 = 0x0000_0c00
        static let padding: UInt32 = 0x0000_0200
        static let mode: UInt32 = 0x0000_00c0
        static let modeExtension: UInt32 = 0x0000_0030
    }

    // The bit rates in kbit/s for the indices 1 to 14; in layer I of MPEG 1, the bit rate is 32 times the index. Index
    // 15 is rejected by `init`.
    private static let bitRates1Layer2 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 0]
    private static let bitRates1Layer3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
    private static let bitRates2Layer1 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 0]
    private static let bitRates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
}
