// SPDX-License-Identifier: MIT

/// The audible part of a decoder's output: encoders add delay at the start and padding at the end.
package struct GaplessTrim: Hashable, Sendable {
    /// Samples per channel to discard at the start of the file.
    package var start: Int64
    /// The number of audible samples after ``start``; nil if only the end of the file shows it.
    package var length: Int64?

    /// The delay of a Layer III decoder, in samples.
    package static let decoderDelay: Int64 = 529

    package init(start: Int64 = 0, length: Int64? = nil) {
        self.start = max(0, start)
        self.length = length.map { max(0, $0) }
    }

    /// Creates the trim of an MP3 file from LAME's delay and padding, given that the info frame is not decoded. Nil
    /// unless the info frame states both.
    package init?(_ info: MPEGInfoFrame) {
        guard let delay = info.delay, let padding = info.padding else { return nil }
        let start = Int64(delay) + Self.decoderDelay
        let all = info.frames.map { $0.multipliedSaturated(by: Int64(info.samples)) }
        // The decoder's delay shifts the audio by as many samples into the padding.
        let end = max(0, Int64(padding) - Self.decoderDelay)
        self.init(start: start, length: all.map { $0 - start - end })
    }

    /// The audible range of `count` samples whose first is at `position` in the decoder's output.
    package func heard(of count: Int, at position: Int64) -> Range<Int> {
        let end = length.map { start.addingSaturated($0) } ?? .max
        let first = min(max(start - max(0, position), 0), Int64(count))
        let last = min(max(end - max(0, position), 0), Int64(count))
        return Int(first)..<Int(max(first, last))
    }
}
