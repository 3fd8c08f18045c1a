// SPDX-License-Identifier: MIT

/// A sample of a progressive MP4 file from which its audio is taken out, with what its movie box says: enough to read
/// the file from that sample on.
package struct MP4Start: Hashable, Sendable {
    let index: MP4Index
    let sample: Int
}

extension MP4Index {
    /// The rate of the samples in frames.
    private var sampleRate: Int { codec.sampleRate ?? scale }

    /// Samples per frame. The length in the table is that of the output, which HE-AAC doubles.
    private var frameSamples: Int {
        if codec != .mpeg { return 1024 }
        return max(1, samples.sampleLength ?? 0)
    }

    /// Whether the movie box lists all samples.
    private var isWhole: Bool { !isFragmented && samples.count > 0 }

    private func samples(ticks: Int) -> Int64 {
        Int64(ticks).multipliedSaturated(by: Int64(sampleRate)) / Int64(scale)
    }

    /// Which samples are audible.
    var trim: GaplessTrim {
        guard let edit else { return GaplessTrim() }
        let start = samples(ticks: edit.start)
        guard isWhole else { return GaplessTrim(start: start) }
        let rest = max(0, Int64(samples.count) * Int64(frameSamples) - start)
        let length = edit.length.map { min(rest, samples(ticks: $0)) } ?? rest
        return GaplessTrim(start: start, length: length, end: rest - length)
    }

    /// What is known of the file.
    var facts: AudioFileFacts {
        var facts = AudioFileFacts(
            container: codec.container, codec: codec == .mpeg ? .mp3 : .aac, sampleRate: sampleRate)
        (facts.index, facts.title) = (self, title)
        guard isWhole, let extent = samples.extent else { return facts }
        facts.audioStart = Int64(extent.lowerBound)
        facts.frameSamples = frameSamples
        facts.samples = trim.length ?? Int64(samples.count) * Int64(frameSamples)
        return facts
    }

    /// The end of the last sample; nil if that is not known.
    var end: Int64? { isWhole ? samples.extent.map { Int64($0.upperBound) } : nil }

    /// The place of the frame with an audible sample, or of the last one before it; the start of the file if it cannot
    /// be found.
    func place(of sample: Int64) -> SeekPlace {
        let start = trim.start
        let wanted = max(0, sample.addingSaturated(start)) / Int64(frameSamples)
        let frame = max(0, min(Int(clamping: wanted), samples.count - 1))
        guard isWhole, let found = try? samples.from(frame) else { return SeekPlace(offset: 0, sample: -start) }
        return SeekPlace(offset: Int64(found.run.offset), sample: Int64(frame) * Int64(frameSamples) - start)
    }

    /// How to read on at a place that ``place(of:)`` has found; nil for the start of a file whose samples are not
    /// listed.
    func start(at place: SeekPlace) -> MP4Start? {
        guard isWhole, place.offset > 0 else { return nil }
        let sample = max(0, place.sample.addingSaturated(trim.start)) / Int64(frameSamples)
        return MP4Start(index: self, sample: Int(clamping: sample))
    }
}
