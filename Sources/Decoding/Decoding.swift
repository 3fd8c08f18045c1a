// SPDX-License-Identifier: MIT

package import RadioCore

/// Decodes a run of frames of one format to PCM. A run begins at a join, a gap or a change of format, and ends before
/// the next one of these.
///
/// Confined to one thread at a time; nothing blocks. The caller puts a frame, takes blocks until there are none, and
/// puts the next frame. A decoder in a child process may be given several frames at once. A frame that cannot be
/// decoded causes an error for that frame alone, and the next frame may be put.
package protocol Decoding: AnyObject {
    /// Takes one whole frame, without its container (an MPEG audio frame, an ADTS frame, an Ogg packet, a FLAC frame).
    ///
    /// `instant` is the frame's position in its stream, in samples at the stream's rate (``Position/samples``). Returns
    /// false if the decoder accepts no frame for now: put the same frame again once ``next()`` has returned nil and
    /// ``descriptor`` is readable.
    func put(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) -> Bool

    /// The next PCM; nil if there is none, or none yet. Each call makes the block that was returned before invalid.
    func next() throws(DecodingError) -> PCMBlock?

    /// Ends the input. The PCM that the decoder still holds can then be taken with ``next()``.
    func finish()

    /// Whether all PCM has come out after ``finish()``.
    var isFinished: Bool { get }

    /// A descriptor that is readable when ``next()`` may have more PCM, for a decoder in a child process. Nil if PCM
    /// comes only from ``put(_:at:)``.
    var descriptor: CInt? { get }
}

/// Decoded audio, interleaved. It lies in memory of the decoder and is valid until the decoder's next call.
package struct PCMBlock {
    package var format: PCMFormat
    /// The samples: ``PCMFormat/channels`` values for each sample.
    package var values: UnsafeBufferPointer<Float>
    /// The position of the block in the stream, in samples at the stream's rate.
    package var instant: Int64

    /// The length of the block in samples, each of which has a value for every channel.
    package var count: Int { values.count / max(1, format.channels) }
}

/// Why something cannot be decoded.
package enum DecodingError: Error, Hashable, Sendable {
    /// The library or program for this codec is not on this machine. The values are its name and its Debian package.
    case missing(name: String, package: String)
    /// This frame cannot be decoded; the next one may be put.
    case damagedFrame(String)
    /// The decoder no longer works, or does not support the stream, for this reason.
    case failed(String)
    /// The library or program cannot decode any frames, because it does not work or cannot be started. The values are
    /// the reason and what helps.
    case broken(String, remedy: String)
}
