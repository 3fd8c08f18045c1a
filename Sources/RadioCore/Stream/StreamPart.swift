// SPDX-License-Identifier: MIT

package import RadioFormats

/// A part of what a connection or a file delivers, in stream order: a frame, or something that applies to the next
/// frame.
///
/// The events of a framer (``FramerEvent``) become parts, and parts become the events that sinks receive
/// (``StreamEvent``). Parts have no positions, because the same frames may arrive on several connections.
package enum StreamPart: Sendable {
    /// The frames that follow have this format.
    case format(StreamFormat)
    /// The title that applies from the next frame on. `raw` holds the bytes as sent, if they are worth keeping; `url`
    /// is the address that came with the title, a checked ``WebAddress``.
    case title(String, raw: [UInt8] = [], url: String? = nil)
    /// The next frame does not follow the one before it.
    case resync
    /// Audio is missing before the next frame. `samples`: how much, according to the stream; nil if the stream does not
    /// state it.
    case missing(samples: Int64?)
    /// One whole frame; its bytes are passed alongside.
    case frame(FrameFacts)

    func isOfSameKind(as other: StreamPart) -> Bool {
        switch (self, other) {
        case (.format, .format), (.title, .title), (.resync, .resync), (.missing, .missing), (.frame, .frame): true
        default: false
        }
    }
}

/// The facts about a frame besides its bytes.
package struct FrameFacts: Sendable {
    /// See ``Frame/samples``.
    package var samples: Int
    /// See ``Frame/backReference``.
    package var backReference: Int
    /// The frame's offset in the audio of its connection or file.
    package var offset: Int64
    /// The frame's fingerprint and playing time; nil if the frame will not be compared with others.
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

/// A receiver of parts. For a frame, the bytes are valid only during the call; for any other part they are empty.
package protocol StreamPartTaker: AnyObject {
    func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer)
    /// Takes several frames with the bytes of all of them: equivalent to taking one after the other, but cheaper.
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
