// SPDX-License-Identifier: MIT

/// Finds the frames of AAC in ADTS: MPEG-2 and MPEG-4, with and without checksum, one to four blocks a frame.
///
/// It locks on three headers of equal fixed part in a row. Then a frame whose header is like them is given out when its
/// last byte is there, if nothing about it is odd: its length lies among those that were seen since the lock, and it
/// ends the way frames end. An odd one is held until a header, a tag or the end stands behind it; so is, up to the third
/// of its kind, a frame whose fixed part differs. Where that does not come, the frame is damaged and is junk, and frames
/// are believed again from the next place where two headers of the old kind or three of a new one follow each other.
///
/// Tags between frames are skipped. At most about 24 KiB are held beyond what one ``append(_:)`` gave.
package struct ADTSFramer: Framer {
    private var buffer = FramingBuffer()
    private var judge: ADTSJudge
    private var isFinal = false
    package private(set) var holdsFrame = false
    private var isReleasing = false
    private var tagBytesLeft = 0
    private var hasFrames = false
    private var format: StreamFormat?
    /// The fixed part that `format` was made of.
    private var announced: UInt32?

    /// - Parameter confirmation: whether all frames are held until something right stands behind them.
    package init(confirmation: FrameConfirmation = .changedHeaders) {
        judge = ADTSJudge(confirmation: confirmation)
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(bytes)
        (holdsFrame, isReleasing) = (false, false)
    }

    package mutating func releaseHeld() {
        (holdsFrame, isReleasing) = (false, holdsFrame)
    }

    package mutating func finish() {
        isFinal = true
        holdsFrame = false
    }

    package func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withBytes(frame.range, body)
    }

    package mutating func next() -> FramerEvent? {
        while true {
            if tagBytesLeft > 0 { return skipTag() }
            // A copy, so that the closure need not capture (and retain) the framer.
            let (judge, isFinal) = (judge, isFinal)
            switch buffer.withUnread({ judge.verdict(on: ADTSLookahead(bytes: $0, isFinal: isFinal)) }) {
            case .wait:
                return nil
            case .unconfirmed(let header):
                holdsFrame = !isReleasing
                return isReleasing ? give(header) : nil
            case .frame(let header):
                return give(header)
            case .lock(let header):
                self.judge.believe(header)
            case .tag(let length):
                tagBytesLeft = length
            case .junk(let count, let lock):
                self.judge.lose(count)
                if let lock { self.judge.believe(lock) }
                buffer.pass(count)
                return .skipped(bytes: count, .junk)
            case .truncated:
                let rest = buffer.count
                buffer.pass(rest)
                return .skipped(bytes: rest, .truncated)
            }
        }
    }

    /// The whole frame at the front, and before it what must be known of it: one event for each call.
    private mutating func give(_ header: ADTSHeader) -> FramerEvent {
        if judge.lostBytes > 0 {
            judge.lostBytes = 0
            if hasFrames { return .discontinuity }
        }
        if announced != header.fixed {
            announced = header.fixed
            let format = header.format
            if self.format != format {
                self.format = format
                return .format(format)
            }
        }
        hasFrames = true
        judge.gave(header)
        let offset = buffer.offset
        return .frame(Frame(range: buffer.pass(header.frameLength), offset: offset, samples: header.samples))
    }

    private mutating func skipTag() -> FramerEvent? {
        let count = min(tagBytesLeft, buffer.count)
        guard count > 0 else { return nil }
        tagBytesLeft -= count
        buffer.pass(count)
        return .skipped(bytes: count, .tag)
    }
}
