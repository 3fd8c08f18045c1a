// SPDX-License-Identifier: MIT

package import RadioFormats

/// What a connection or a file says, in stream order: frames, and what applies to the next frame.
///
/// It stands between what a framer says of bytes (``FramerEvent``) and what sinks hear (``StreamEvent``), and knows no
/// positions: the same frames may come on several connections.
package enum StreamPart: Sendable {
    /// The frames that follow have this format.
    case format(StreamFormat)
    /// The next frame is the first that this title belongs to. `raw` is what was sent, if that is worth keeping.
    case title(String, raw: [UInt8] = [])
    /// The next frame does not follow the one before it.
    case resync
    /// Audio is missing before the next frame: as many samples as the stream says; nil where it does not say.
    case missing(samples: Int64?)
    /// One whole frame; its bytes go beside it.
    case frame(FrameFacts)

    func isOfSameKind(as other: StreamPart) -> Bool {
        switch (self, other) {
        case (.format, .format), (.title, .title), (.resync, .resync), (.missing, .missing), (.frame, .frame): true
        default: false
        }
    }
}

/// What is to be known of a frame besides its bytes.
package struct FrameFacts: Sendable {
    /// See ``Frame/samples``.
    package var samples: Int
    /// See ``Frame/backReference``.
    package var backReference: Int
    /// Where it began in the audio of its connection or file.
    package var offset: Int64
    /// The mark by which it is remembered; nil where nobody will compare it.
    package var mark: FrameMark?

    package init(samples: Int, backReference: Int = 0, offset: Int64 = 0, mark: FrameMark? = nil) {
        self.samples = samples
        self.backReference = backReference
        self.offset = offset
        self.mark = mark
    }

    package init(_ frame: Frame) {
        self.init(samples: frame.samples, backReference: frame.backReference, offset: frame.offset)
    }
}

/// Where parts go next. The bytes are a frame's, valid during the call only, and empty for all else.
package protocol StreamPartTaker: AnyObject {
    func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer)
    /// Takes frames together, with the bytes of all of them: the same as one after the other, for less.
    func take(_ batch: consuming FrameBatch, _ bytes: UnsafeRawBufferPointer)
}

extension StreamPartTaker {
    package func take(_ batch: consuming FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        batch.forEach(in: bytes) { take(.frame($0), $1) }
    }

    /// Takes anything but a frame.
    package func take(_ part: StreamPart) {
        take(part, UnsafeRawBufferPointer(start: nil, count: 0))
    }
}
