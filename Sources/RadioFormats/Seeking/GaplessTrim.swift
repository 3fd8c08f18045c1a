// SPDX-License-Identifier: MIT

/// Which of the samples that a decoder gives out belong to the music: encoders put some in front and behind.
package struct GaplessTrim: Hashable, Sendable {
    /// Samples of each channel that are thrown away at the start of the file.
    package var start: Int64
    /// Samples that are heard after those; nil where only the end tells.
    package var length: Int64?

    /// What a decoder of layer III delays the sound by.
    package static let decoderDelay: Int64 = 529

    package init(start: Int64 = 0, length: Int64? = nil) {
        self.start = max(0, start)
        self.length = length.map { max(0, $0) }
    }

    /// MP3, by LAME's delay and padding; the info frame itself is not decoded. Nil where the frame names none.
    package init?(_ info: MPEGInfoFrame) {
        guard let delay = info.delay, let padding = info.padding else { return nil }
        let start = Int64(delay) + Self.decoderDelay
        let all = info.frames.map { $0.multipliedSaturated(by: Int64(info.samples)) }
        // The padding counts from where the encoder ended, before the decoder's delay.
        let end = max(0, Int64(padding) - Self.decoderDelay)
        self.init(start: start, length: all.map { $0 - start - end })
    }

    /// Of `count` samples, the first of which is the `position`th that the decoder gives out, those that are heard.
    package func heard(of count: Int, at position: Int64) -> Range<Int> {
        let end = length.map { start.addingSaturated($0) } ?? .max
        let first = min(max(start - max(0, position), 0), Int64(count))
        let last = min(max(end - max(0, position), 0), Int64(count))
        return Int(first)..<Int(max(first, last))
    }
}
