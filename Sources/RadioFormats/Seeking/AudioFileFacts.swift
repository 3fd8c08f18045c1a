// SPDX-License-Identifier: MIT

/// What has been found out about a file of audio by looking at its two ends.
package struct AudioFileFacts: Hashable, Sendable {
    package var container: Container
    package var codec: Codec
    package var sampleRate: Int
    /// Bytes of the file, all of it: also of what is still to be loaded. Nil where nobody knows.
    package var size: Int64?

    /// Where the first frame lies, or the first page; and behind the last one, without tags.
    package var audioStart: Int64 = 0
    package var audioEnd: Int64?

    /// Layer III: what its info frame says, and where that lies.
    package var info: MPEGInfoFrame?
    package var infoStart: Int64 = 0

    /// Measured at the first frames: bytes for each sample of a channel, and whether the bit rate is the same in all.
    package var bytesPerSample: Double?
    package var isConstant = false
    /// Of each frame; 0 where they differ.
    package var frameSamples = 0

    /// FLAC: what STREAMINFO or the last frame say. Ogg: by the last granule, without what is skipped.
    package var samples: Int64?
    /// Ogg: the stream that is played, the granule at its start, and what a decoder skips.
    package var serial: UInt32 = 0
    package var firstGranule: Int64 = 0
    package var preSkip = 0
    /// Ogg: whether several links follow each other. What one page says of its place holds for its link alone.
    package var isChained = false
    /// FLAC: samples of a block; 0 where they differ.
    package var blockSize = 0

    init(container: Container, codec: Codec, sampleRate: Int) {
        (self.container, self.codec, self.sampleRate) = (container, codec, sampleRate)
    }

    /// Which samples are heard.
    package var trim: GaplessTrim {
        switch codec {
        case .mp3: info.flatMap(GaplessTrim.init) ?? GaplessTrim()
        // Where the last link ends, the framer says with its last frame.
        case .opus: GaplessTrim(start: Int64(preSkip))
        case .vorbis, .mp1, .mp2, .aac, .flac: GaplessTrim()
        }
    }

    package var length: FileLength? { FileLength(self) }
}
