// SPDX-License-Identifier: MIT

/// What the two ends of an audio file reveal about it.
package struct AudioFileFacts: Hashable, Sendable {
    package var container: Container
    package var codec: Codec
    package var sampleRate: Int
    /// The size of the complete file in bytes, including any part still to be loaded; nil if unknown.
    package var size: Int64?

    /// The offset of the first frame or page, and the end of the last one; both exclude tags. The end is nil if
    /// unknown.
    package var audioStart: Int64 = 0
    package var audioEnd: Int64?

    /// The title in a tag at the end of the file; nil if there is none.
    package var title: String?

    /// Layer III: the info frame and its offset.
    package var info: MPEGInfoFrame?
    package var infoStart: Int64 = 0

    /// From the first frames or the info frame: encoded bytes per sample (all channels together), and whether the bit
    /// rate is constant.
    package var bytesPerSample: Double?
    package var isConstant = false
    /// Samples per frame; 0 if frames differ.
    package var frameSamples = 0

    /// The number of audible samples. FLAC: from STREAMINFO or the last frame. Ogg: from the last granule, less the
    /// pre-skip.
    package var samples: Int64?
    /// Ogg: the serial number of the stream that is played, its first granule, and the samples its decoder skips.
    package var serial: UInt32 = 0
    package var firstGranule: Int64 = 0
    package var preSkip = 0
    /// Ogg: whether several links follow each other. A page's granule is then valid only within its link.
    package var isChained = false
    /// Ogg: whether the last page is marked as the end of its stream.
    package var isEnded = false
    /// MP4: what the movie box says. ``container`` is that of the audio which comes out.
    var index: MP4Index?
    /// WAV and AIFF: how the samples lie in the file.
    var pcm: PCMLayout?
    /// FLAC: samples per block; 0 if blocks differ.
    package var blockSize = 0
    /// FLAC: the end of the last frame, in samples; nil if it was not looked for.
    package var lastSample: Int64?

    /// Which decoded samples are audible.
    package var trim: GaplessTrim {
        if let index { return index.trim }
        return switch codec {
        case .mp3: info.flatMap(GaplessTrim.init) ?? GaplessTrim()
        // The end needs no trim, because the framer subtracts the padding from the last frames.
        case .opus: GaplessTrim(start: Int64(preSkip))
        case .vorbis, .mp1, .mp2, .aac, .flac: GaplessTrim()
        }
    }

    /// The playing time; nil if unknown.
    package var length: Duration? { FileLength.duration(self) }

    /// Where reading begins if all of the audio is wanted.
    package var firstPlace: SeekPlace {
        if let index, index.isBehindAudio { return index.place(of: .min) }
        return SeekPlace(offset: 0, sample: -trim.start)
    }

    /// How to read the audio from a place on, if it is in a wrapper that does not tell it there.
    package func start(at place: SeekPlace) -> WrappedStart? {
        index?.start(at: place).map { .mp4($0) } ?? pcm?.start(at: place).map { .pcm($0) }
    }
}

// MARK: - How much of the file is there

extension AudioFileFacts {
    /// What a file says about whether all of it is there.
    package enum Extent: Hashable, Sendable {
        /// The file ends where its head says, or its end is marked.
        case whole
        /// The head announces more audio than there is.
        case unfinished
        /// The file does not say where it ends, or goes on after that place.
        case unknown
    }

    /// Ogg files and files without a head never announce more.
    package var extent: Extent {
        switch container {
        case .ogg: return isEnded ? .whole : .unknown
        case .flac where pcm == nil:
            guard let samples, let lastSample else { return .unknown }
            return lastSample < samples ? .unfinished : lastSample == samples ? .whole : .unknown
        case .mpeg, .adts, .flac:
            guard let stated = statedEnd, let end = audioEnd ?? size else { return .unknown }
            if index != nil || pcm != nil { return end < stated ? .unfinished : .whole }
            guard abs(end - stated) > Self.tolerance else { return .whole }
            return end < stated ? .unfinished : .unknown
        }
    }

    /// The offset at which the audio ends according to the head of an MP3, MP4, WAV or AIFF file; nil if it does not say.
    package var statedEnd: Int64? { index?.end ?? pcm?.end ?? statedBytes.map { infoStart.addingSaturated($0) } }

    /// The bytes that an MP3 file's head describes, from the info frame on; nil if it states neither bytes nor frames
    /// of a constant size.
    var statedBytes: Int64? {
        guard let info, info.bytes == nil else { return info?.bytes }
        guard isConstant, let bytesPerSample, let frames = info.frames else { return nil }
        return Int64(clampingRounded: Double(frames) * Double(info.samples) * bytesPerSample) + Int64(info.length)
    }

    /// Encoders differ in counting the info frame and tags.
    private static let tolerance: Int64 = 4_096
}
