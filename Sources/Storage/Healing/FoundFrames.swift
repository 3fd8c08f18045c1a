// SPDX-License-Identifier: MIT

import Platform
package import RadioCore
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

    /// The frames of found audio.
    package init(_ audio: FoundAudio) {
        var rest: FoundAudio? = audio
        self.init(
            continuesBefore: audio.continuesBefore, isContinuedAfter: audio.isContinuedAfter, format: audio.format,
            rest: audio.rest, source: audio.source
        ) { () throws(SystemError) in
            defer { rest = nil }
            return rest.map { ($0.batch, $0.bytes) }
        }
    }
}
