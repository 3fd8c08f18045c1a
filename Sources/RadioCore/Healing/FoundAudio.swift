// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// Audio of the programme that arrived, but too late to be delivered in its order, or on a connection that was not the
/// first one.
///
/// Whoever listens live cannot go back, but a recording can: its files get the audio at its place.
package struct FoundAudio: Sendable {
    /// The count of the station's frame before which the audio belongs: the first frame after a gap.
    package var before: Int64
    /// Whether the audio continues the frame before the gap. Where this or ``isContinuedAfter`` does not hold, a gap
    /// remains on that side. If neither does, the audio belongs somewhere into the gap, or into what is left of it
    /// behind such audio that was found before.
    package var continuesBefore: Bool
    /// Whether the frame after the gap continues the audio.
    package var isContinuedAfter: Bool
    package var format: StreamFormat
    /// No frames if the frame after the gap continues the one before it: then nothing is missing.
    package var batch: FrameBatch
    /// The bytes of the frames in ``batch``.
    package var bytes: [UInt8]
    package var length: Duration
    /// The titles that were sent within the audio, each with the index of its first frame.
    package var titles: [(frame: Int, text: String)] = []
    /// What is still missing once the audio is in its place: nil if unknown, zero if nothing is, and then both flags
    /// hold.
    package var rest: Duration?
    /// Where the audio came from, for people: "a second connection".
    package var source: String

    package init(
        before: Int64, continuesBefore: Bool, isContinuedAfter: Bool, format: StreamFormat, batch: FrameBatch,
        bytes: [UInt8], length: Duration, rest: Duration?, source: String
    ) {
        self.before = before
        self.continuesBefore = continuesBefore
        self.isContinuedAfter = isContinuedAfter
        self.format = format
        self.batch = batch
        self.bytes = bytes
        self.length = length
        self.rest = rest
        self.source = source
    }

    /// Whether a gap remains on both sides of the audio.
    package var isWithin: Bool { !continuesBefore && !isContinuedAfter }

    /// Nothing is missing in a gap, as the time of the frames behind it has shown.
    package static func nothingMissing(before frame: Int64, _ format: StreamFormat) -> FoundAudio {
        FoundAudio(
            before: frame, continuesBefore: true, isContinuedAfter: true, format: format, batch: FrameBatch(),
            bytes: [], length: .zero, rest: .zero, source: "the time of the frames behind it")
    }

    /// The audio without what lies before `lead`, but with the frame into which that falls; nil if nothing is left.
    package func dropping(_ lead: Duration) -> FoundAudio? {
        part(ends.dropFirst().prefix { $0 <= lead }.count..<batch.count)
    }

    /// The audio at the beginning of a gap of this length, with the frame into which its end falls; nil if it is
    /// nothing.
    package func prefix(_ gap: Duration) -> FoundAudio? {
        guard var part = part(0..<ends.dropLast().prefix { $0 < gap }.count) else { return nil }
        part.rest = max(.zero, gap - part.length)
        part.isContinuedAfter = part.rest == .zero
        return part
    }

    /// The playing time of the first `count` frames.
    package func length(ofFirst count: Int) -> Duration { ends[count] }

    /// Where each frame begins, and the last one ends.
    private var ends: [Duration] {
        var samples: Int64 = 0
        return [.zero]
            + (0..<batch.count).map { index in
                samples = samples.addingSaturated(Int64(batch[index].samples))
                return .samples(samples, at: format.sampleRate)
            }
    }

    private func part(_ frames: Range<Int>) -> FoundAudio? {
        guard !frames.isEmpty else { return nil }
        guard frames.count < batch.count else { return self }
        var part = self
        part.bytes = Array(bytes[batch.range(of: frames)])
        part.batch = batch[frames]
        part.length = ends[frames.upperBound] - ends[frames.lowerBound]
        part.titles = titles.filter { frames.contains($0.frame) }.map { ($0.frame - frames.lowerBound, $0.text) }
        return part
    }
}
