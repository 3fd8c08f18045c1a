// SPDX-License-Identifier: MIT

package import RadioCore

/// Decodes a run of frames of one format to PCM. A run begins at a join, a gap or a change of format, and ends at the
/// next.
///
/// Confined to one thread at a time; nothing blocks. The caller puts a frame, takes blocks until there are none, and
/// puts the next frame. A frame that cannot be decoded is an error of that frame alone, and the next frame may be put.
package protocol Decoding: AnyObject {
    /// Takes one whole frame, without its container (an MPEG audio frame, an ADTS frame, an Ogg packet, a FLAC frame).
    ///
    /// `instant` is the frame's position in its stream, in samples at the stream's rate (``Position/samples``). Returns
    /// false if the decoder takes nothing for now: put the same frame again once ``next()`` has returned nil and
    /// ``descriptor`` is readable.
    func put(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) -> Bool

    /// The next PCM; nil if there is none (yet). Invalidates the block that it returned before.
    func next() throws(DecodingError) -> PCMBlock?

    /// Ends the input: the PCM that the decoder still holds comes out of ``next()``.
    func finish()

    /// Whether all PCM has come out after ``finish()``.
    var isFinished: Bool { get }

    /// Readable when ``next()`` may have more, for a decoder in a child process. Nil if PCM comes only from
    /// ``put(_:at:)``.
    var descriptor: CInt? { get }
}

/// Decoded audio: interleaved, in memory of the decoder, valid until its next call.
package struct PCMBlock {
    package var format: PCMFormat
    /// ``PCMFormat/channels`` values for each sample.
    package var values: UnsafeBufferPointer<Float>
    /// Its position in the stream, in samples at the stream's rate.
    package var instant: Int64

    package init(format: PCMFormat, values: UnsafeBufferPointer<Float>, instant: Int64) {
        self.format = format
        self.values = values
        self.instant = instant
    }

    /// Its length in samples, each of which has a value for every channel.
    package var count: Int { values.count / max(1, format.channels) }
}

/// Why something cannot be decoded.
package enum DecodingError: Error, Hashable, Sendable {
    /// The library or program for this codec is not on this machine; its name, and its Debian package.
    case missing(name: String, package: String)
    /// This frame cannot be decoded; the next one may be put.
    case damagedFrame(String)
    /// The decoder does not work any more, or does not support the stream, for this reason.
    case failed(String)
    /// The library or program cannot decode any frames, because it does not work or cannot be started; the reason, and
    /// what helps.
    case broken(String, remedy: String)
}
