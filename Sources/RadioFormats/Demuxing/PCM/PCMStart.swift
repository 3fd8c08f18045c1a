// SPDX-License-Identifier: MIT

/// A frame of a WAV or AIFF file from which its samples are read.
package struct PCMStart: Hashable, Sendable {
    let layout: PCMLayout
    /// The number of the frame.
    let frame: Int64
}

extension PCMLayout {
    private var frameBytes: Int64 { Int64(stride * Self.block) }

    /// The end of the samples; nil if they reach to the end of the file.
    var end: Int64? { length.map { start.addingSaturated($0) } }

    /// What is known of a file of this size.
    func facts(size: Int64?) -> AudioFileFacts {
        var facts = AudioFileFacts(container: .flac, codec: .flac, sampleRate: sampleRate)
        (facts.pcm, facts.audioStart, facts.blockSize) = (self, start, Self.block)
        // A download may not be complete, and a writer that was stopped has stated anything.
        let bytes = [length, size.map { $0 - start }].compactMap(\.self).min()
        facts.samples = bytes.map { max(0, $0) / Int64(stride) }
        return facts
    }

    /// The place of the frame with a sample.
    func place(of sample: Int64) -> SeekPlace {
        let frame = max(0, sample) / Int64(Self.block)
        let offset = start.addingSaturated(frame.multipliedSaturated(by: frameBytes))
        return SeekPlace(offset: offset, sample: frame * Int64(Self.block))
    }

    /// How to read on at a place that ``place(of:)`` has found; nil for the start of the file.
    func start(at place: SeekPlace) -> PCMStart? {
        guard place.offset >= start, place.offset > 0 else { return nil }
        return PCMStart(layout: self, frame: (place.offset - start) / frameBytes)
    }
}
