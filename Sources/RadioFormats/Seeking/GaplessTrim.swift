// SPDX-License-Identifier: MIT

/// The audible part of a decoder's output: encoders add delay at the start and padding at the end.
package struct GaplessTrim: Hashable, Sendable {
    /// Samples per channel to discard at the start of the file.
    package var start: Int64
    /// The number of audible samples after ``start``; nil if only the end of the file shows it.
    package var length: Int64?
    /// Samples per channel to discard after those.
    package var end: Int64

    /// The delay of a Layer III decoder, in samples.
    package static let decoderDelay: Int64 = 529

    package init(start: Int64 = 0, length: Int64? = nil, end: Int64 = 0) {
        self.start = max(0, start)
        self.length = length.map { max(0, $0) }
        self.end = max(0, end)
    }

    /// Creates the trim of an MP3 file from LAME's delay and padding, given that the info frame is not decoded. Nil
    /// unless the info frame states both.
    package init?(_ info: MPEGInfoFrame) {
        guard let delay = info.delay, let padding = info.padding else { return nil }
        let start = Int64(delay) + Self.decoderDelay
        let all = info.frames.map { $0.multipliedSaturated(by: Int64(info.samples)) }
        // The decoder's delay shifts the audio by as many samples into the padding.
        let end = max(0, Int64(padding) - Self.decoderDelay)
        self.init(start: start, length: all.map { $0 - start - end }, end: end)
    }

    /// The samples to discard at the end of the file, in a count in which `first` is the first audible sample. The end
    /// of the range is where the last frame ends, in a count that begins with the first frame. Nil if unknown.
    package func padding(after first: Int64) -> Range<Int64>? {
        guard let length else { return nil }
        let last = first.addingSaturated(length)
        return last..<max(last, start.addingSaturated(length).addingSaturated(end))
    }

    /// The audible range of `count` samples whose first is at `position` in the decoder's output.
    package func heard(of count: Int, at position: Int64) -> Range<Int> {
        let end = length.map { start.addingSaturated($0) } ?? .max
        let first = min(max(start - max(0, position), 0), Int64(count))
        let last = min(max(end - max(0, position), 0), Int64(count))
        return Int(first)..<Int(max(first, last))
    }
}
