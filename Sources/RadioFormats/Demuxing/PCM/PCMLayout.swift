// SPDX-License-Identifier: MIT

/// How PCM lies in a WAV or AIFF file.
struct PCMLayout: Hashable {
    /// How a sample is written.
    enum Coding: Hashable {
        /// Whole numbers; those of WAV with eight bits have no sign.
        case integers(isSigned: Bool)
        case floats
    }

    var coding: Coding
    /// The bytes of a sample of one channel.
    var width: Int
    var isBigEndian: Bool
    var channels: Int
    var sampleRate: Int
    /// Where the samples begin, and how many bytes they have; nil if they reach to the end of the file.
    var start: Int64 = 0
    var length: Int64?

    /// FLAC, which the samples become, has up to eight channels, and states the rate in twenty bits.
    init?(_ coding: Coding, width: Int, isBigEndian: Bool, channels: Int, sampleRate: Int) {
        let isKnown = coding == .floats ? width == 4 || width == 8 : (1...4).contains(width)
        guard isKnown, (1...8).contains(channels), (1_000..<1 << 20).contains(sampleRate) else { return nil }
        (self.coding, self.width, self.isBigEndian) = (coding, width, isBigEndian)
        (self.channels, self.sampleRate) = (channels, sampleRate)
    }

    /// The bytes of a sample of all channels.
    var stride: Int { width * channels }

    /// The bytes of a sample in FLAC. Decoders yield no more than 24 bits.
    var outputWidth: Int { coding == .floats ? 3 : min(width, 3) }

    /// What a decoder must know before the first frame.
    func head(samples: Int64) -> [UInt8] {
        var info: [UInt8] = []
        info.appendBigEndian(UInt16(Self.block))
        info.appendBigEndian(UInt16(Self.block))
        info += [UInt8](repeating: 0, count: 6)
        info.appendBigEndian(
            UInt64(sampleRate) << 44 | UInt64(channels - 1) << 41 | UInt64(8 * outputWidth - 1) << 36
                | UInt64(samples) & 0xF_FFFF_FFFF)
        // The last metadata block, of the kind STREAMINFO.
        return Array("fLaC".utf8) + [0x80, 0, 0, UInt8(info.count + 16)] + info + [UInt8](repeating: 0, count: 16)
    }

    /// The samples in a frame.
    static let block = 1024
}

// MARK: - One sample

extension PCMLayout {
    /// Appends a sample of one channel as FLAC has it, most significant byte first.
    func append(_ bytes: UnsafeRawBufferPointer, at place: Int, to output: inout [UInt8]) {
        func byte(_ index: Int) -> UInt8 { bytes[place + (isBigEndian ? index : width - 1 - index)] }
        switch coding {
        case .integers(let isSigned):
            output.append(isSigned ? byte(0) : byte(0) ^ 0x80)
            for index in 1..<max(1, outputWidth) { output.append(byte(index)) }
        case .floats:
            let bits = (0..<width).reduce(0 as UInt64) { $0 << 8 | UInt64(byte($1)) }
            let value = width == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
            // What is no number is silence.
            let level = value.isNaN ? 0 : max(-1, min(1, value))
            let sample = min(0x7F_FFFF, Int32((level * 0x80_0000).rounded()))
            output += [16, 8, 0].map { UInt8(truncatingIfNeeded: sample >> $0) }
        }
    }
}
