// SPDX-License-Identifier: MIT

/// The STREAMINFO block, which every decoder needs (RFC 9639 §8.2).
struct FLACStreamInfo: Hashable {
    /// The size of the block in bytes, without its header.
    static let length = 34
    /// The largest block size in samples that the field can state.
    static let largestBlock = Int(UInt16.max)

    /// The smallest and the largest block size in samples, not counting the last block.
    var (smallestBlock, largestBlock): (Int, Int)
    var sampleRate: Int
    var channels: Int
    var bitsPerSample: Int
    /// The samples of the whole stream per channel; 0 if unknown.
    var samples: Int64 = 0

    /// Parses `bytes`, the block without its header; nil if no decoder would accept it.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.length else { return nil }
        smallestBlock = bytes.bigEndian(at: 0, count: 2)
        largestBlock = bytes.bigEndian(at: 2, count: 2)
        // 20 bits of sample rate, 3 of channels − 1, 5 of bits per sample − 1, 36 of total samples.
        sampleRate = bytes.bigEndian(at: 10, count: 3) >> 4
        channels = (bytes.byte(12) >> 1 & 7) + 1
        bitsPerSample = (bytes.bigEndian(at: 12, count: 2) >> 4 & 31) + 1
        samples = Int64(bytes.bigEndian(at: 13, count: 5) & 0xF_FFFF_FFFF)
        guard believedSampleRates ~= sampleRate else { return nil }
    }

    /// The same block without the total number of samples, which a broadcast does not have.
    var ofAnyPart: FLACStreamInfo {
        var part = self
        part.samples = 0
        return part
    }

    /// Derives the properties of a stream from a frame's header, completed by `known` if the two agree.
    ///
    /// The result is the same for every frame of a stream, whether or not the stream's head was received. If the block
    /// size is fixed, the smallest and the largest block size are both that of the frame. For a shorter last block,
    /// they are those of `known`. Nil if neither source states what a decoder must know.
    init?(_ header: FLACFrameHeader, known: FLACStreamInfo?) {
        guard let sampleRate = header.sampleRate ?? known?.sampleRate,
            let bitsPerSample = header.bitsPerSample ?? known?.bitsPerSample, believedSampleRates ~= sampleRate
        else { return nil }
        (self.sampleRate, channels, self.bitsPerSample) = (sampleRate, header.channels, bitsPerSample)
        (smallestBlock, largestBlock) = header.isVariable ? (16, Self.largestBlock) : (header.samples, header.samples)
        guard let known, !header.isVariable, known.smallestBlock == known.largestBlock,
            known.largestBlock > header.samples, known.sampleRate == sampleRate, known.channels == channels,
            known.bitsPerSample == bitsPerSample
        else { return }
        (smallestBlock, largestBlock) = (known.smallestBlock, known.largestBlock)
    }

    /// The block without its header. Frame sizes and the digest of all samples are marked as unknown: the frames are
    /// part of a broadcast.
    var encoded: [UInt8] {
        var output: [UInt8] = []
        output.appendBigEndian(UInt16(truncatingIfNeeded: smallestBlock))
        output.appendBigEndian(UInt16(truncatingIfNeeded: largestBlock))
        output += repeatElement(0, count: 6)
        output.appendBigEndian(
            UInt64(sampleRate) << 44 | UInt64(channels - 1) << 41 | UInt64(bitsPerSample - 1) << 36
                | UInt64(samples) & 0xF_FFFF_FFFF)
        return output + repeatElement(0, count: 16)
    }

    var format: StreamFormat {
        StreamFormat(
            codec: .flac, in: .flac, sampleRate: sampleRate, channels: channels, headerPackets: [encoded])
    }
}
