// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
package import RadioFormats

/// Frames that were found for a gap of a complete file, wherever they are.
package struct FoundFrames {
    /// As in ``FoundAudio``.
    package let continuesBefore: Bool
    package let isContinuedAfter: Bool
    package let format: StreamFormat
    /// What is still missing once the frames are in the file; nil if unknown.
    package let rest: Duration?
    package let source: String
    /// Returns the next frames with their bytes; nil after the last ones.
    let next: () throws(SystemError) -> (batch: FrameBatch, bytes: [UInt8])?

    init(
        continuesBefore: Bool, isContinuedAfter: Bool, format: StreamFormat, rest: Duration?, source: String,
        _ next: @escaping () throws(SystemError) -> (batch: FrameBatch, bytes: [UInt8])?
    ) {
        (self.continuesBefore, self.isContinuedAfter) = (continuesBefore, isContinuedAfter)
        (self.format, self.rest, self.source) = (format, rest, source)
        self.next = next
    }

    /// The frames of a piece, of which `saved` has the copies.
    init(_ piece: FoundPiece, _ saved: SavedAudioFile? = nil) {
        var rest = piece.parts[...]
        self.init(
            continuesBefore: piece.continuesBefore, isContinuedAfter: piece.isContinuedAfter, format: piece.format,
            rest: piece.rest, source: piece.source
        ) { () throws(SystemError) in
            guard let part = rest.popFirst() else { return nil }
            if let audio = part.audio { return (audio.batch, audio.bytes) }
            guard let copy = part.copy, let saved else { throw SystemError(number: ENOENT) }
            let audio = try saved.audio(copy, piece.format)
            return (audio.batch, audio.bytes)
        }
    }
}
