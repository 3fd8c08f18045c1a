// SPDX-License-Identifier: MIT

package import RadioCore

/// Frames of one format in, PCM out: one run of frames, from a join, a gap or a change of format to the next.
///
/// Confined to one thread at a time; nothing blocks. Whoever decodes puts a frame, takes blocks until there are none,
/// and puts the next. A frame that cannot be decoded is an error of that frame alone, and the next
/// frame may be put.
package protocol Decoding: AnyObject {
    /// Takes one whole frame, without its container (an MPEG audio frame, an ADTS frame, an Ogg packet, a FLAC frame).
    ///
    /// `instant` is where it begins in its stream, in samples of the stream's rate (``Position/samples``). False where
    /// the decoder takes nothing for now: the same frame is to be put again once ``next()`` has been emptied and
    /// ``descriptor`` is ready.
    func put(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) -> Bool

    /// The next PCM at hand; nil where there is none (yet). What it returned before is not valid any more.
    func next() throws(DecodingError) -> PCMBlock?

    /// No more frames come: what the decoder still holds comes out of ``next()``.
    func finish()

    /// Whether everything has come out after ``finish()``.
    var isFinished: Bool { get }

    /// Readable where ``next()`` may have more: a decoder that runs beside us. Nil where nothing comes but of ``put(_:at:)``.
    var descriptor: CInt? { get }
}

/// Some decoded audio: interleaved, in memory of the decoder, valid until its next call.
package struct PCMBlock {
    package var format: PCMFormat
    /// ``PCMFormat/channels`` values for each sample.
    package var values: UnsafeBufferPointer<Float>
    /// Where it begins in the stream, in samples of the stream's rate.
    package var instant: Int64

    package init(format: PCMFormat, values: UnsafeBufferPointer<Float>, instant: Int64) {
        self.format = format
        self.values = values
        self.instant = instant
    }

    /// How many samples it has.
    package var count: Int { values.count / max(1, format.channels) }
}

/// Why something cannot be decoded.
package enum DecodingError: Error, Hashable, Sendable {
    /// The library or program that decodes this codec is not on this machine: its name, and the Debian package.
    case missing(name: String, package: String)
    /// This frame cannot be decoded; the next one may be put.
    case damagedFrame(String)
    /// The decoder does not work any more, and why.
    case failed(String)
    /// It is not the frames: what decodes them cannot be started, or does not work. Why, and what helps.
    case broken(String, remedy: String)
}
