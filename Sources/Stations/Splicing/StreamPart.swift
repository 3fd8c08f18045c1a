// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// What comes out of a connection, in stream order: frames, and what applies to the next frame.
enum StreamPart {
    /// The frames that follow have this format.
    case format(StreamFormat)
    /// The next frame is the first that this title belongs to.
    case title(String, raw: [UInt8])
    /// The next frame does not follow the one before it.
    case resync
    /// Audio is missing before the next frame: as many samples as the stream says; nil where it does not say.
    case missing(samples: Int64?)
    case frame(FrameFacts)

    func isOfSameKind(as other: StreamPart) -> Bool {
        switch (self, other) {
        case (.format, .format), (.title, .title), (.resync, .resync), (.missing, .missing), (.frame, .frame): true
        default: false
        }
    }
}

/// What is to be known of a frame besides its bytes.
struct FrameFacts {
    var samples: Int
    var backReference: Int
    /// The mark by which it is remembered.
    var mark: FrameMark?
}

/// Where parts go next. The bytes are a frame's, valid during the call only, and empty for all else.
protocol StreamPartTaker: AnyObject {
    func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer)
}
