// SPDX-License-Identifier: MIT

package import RadioFormats

/// Something that a connection or a file delivers with its frames, and that applies to the next frame.
///
/// The events of a framer (``FramerEvent``) become parts and batches of frames (``FrameBatch``), which become the
/// events that sinks receive (``StreamEvent``). Parts have no positions, because the same frames may arrive on several
/// connections.
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

    func isOfSameKind(as other: StreamPart) -> Bool {
        switch (self, other) {
        case (.format, .format), (.title, .title), (.resync, .resync), (.missing, .missing): true
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
    /// See ``Frame/place``.
    package var place: StatedPlace?

    package init(samples: Int, backReference: Int = 0, offset: Int64 = 0, mark: FrameMark? = nil) {
        self.samples = samples
        self.backReference = backReference
        self.offset = offset
        self.mark = mark
    }

    package init(_ frame: Frame) {
        self.init(samples: frame.samples, backReference: frame.backReference, offset: frame.offset)
        place = frame.place
    }
}

/// A receiver of frames and of the parts between them, in stream order.
package protocol StreamPartTaker: AnyObject {
    func take(_ part: StreamPart)
    /// Takes consecutive frames with the bytes of all of them, which are valid during the call only.
    func take(_ batch: consuming FrameBatch, _ bytes: UnsafeRawBufferPointer)
}
