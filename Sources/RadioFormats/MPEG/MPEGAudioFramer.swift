// SPDX-License-Identifier: MIT

/// Finds the frames of MPEG audio: MPEG 1, 2 and 2.5, layers I to III, constant, variable and free bit rate.
///
/// It locks on three headers of one format in a row. Then a frame whose header repeats the one before it is given out
/// when its last byte is there; one whose header differs (padding, bit rate, mode) is held until the next header stands
/// where it says. A damaged header costs that frame. After a byte that is no header where one is due, frames are
/// believed again from the next place where two headers of the old format or three of a new one follow each other.
///
/// Tags between frames and frames that describe a file (Xing, Info, VBRI) are skipped; the title of an ID3v2 tag is
/// told. A frame with a wrong checksum is given out like any other, but told. A free-format frame is at most 4 KiB
/// long, so at most about 12 KiB are held beyond what one ``append(_:)`` gave, and 64 KiB of a tag.
package struct MPEGAudioFramer: Framer {
    private var buffer = FramingBuffer()
    private var judge: MPEGJudge
    private var isFinal = false
    package private(set) var holdsFrame = false
    private var isReleasing = false
    private var hasFrames = false
    private var announced: StreamFormat?
    private var announcedKey: UInt32?
    /// It was said that the checksum of the frame that comes next is wrong.
    private var hasToldChecksum = false

    private var tagBytesLeft = 0
    /// The part of an ID3v2 tag that has come so far.
    private var tag: [UInt8]?
    private var title: String?

    package init(confirmation: FrameConfirmation = .changedHeaders) {
        judge = MPEGJudge(confirmation: confirmation)
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
            if let title = title.take() { return .title(title) }
            // Copies, so that the closure need not capture (and retain) the framer.
            let (judge, isFinal, hasFrames) = (judge, isFinal, hasFrames)
            let verdict = buffer.withUnread {
                judge.verdict(on: MPEGLookahead(bytes: $0, isFinal: isFinal, hasFrames: hasFrames))
            }
            switch verdict {
            case .wait:
                return nil
            case .unconfirmed(let shape):
                holdsFrame = !isReleasing
                guard isReleasing else { return nil }
                self.judge.believe(shape)
                return give(shape)
            case .frame(let shape):
                self.judge.believe(shape)
                return give(shape)
            case .lock(let shape):
                self.judge.believe(shape)
            case .tag(let length):
                tagBytesLeft = length
                tag = []
            case .junk(let count, let due):
                self.judge.lose(count, due: due)
                return .skipped(bytes: buffer.pass(count).count, .junk)
            case .truncated:
                return .skipped(bytes: buffer.pass(buffer.count).count, .truncated)
            }
        }
    }

    // MARK: - What to say

    /// The whole frame that comes next, and before it what must be known of it: one event for each call.
    private mutating func give(_ shape: MPEGFrameShape) -> FramerEvent {
        let (isInfo, backReference) = buffer.withUnread { bytes in
            let frame = UnsafeRawBufferPointer(rebasing: bytes[..<shape.length])
            return (shape.isInfo(frame), shape.backReference(of: frame))
        }
        if isInfo { return .skipped(bytes: buffer.pass(shape.length).count, .infoFrame) }
        if judge.lostBytes > 0 {
            judge.lostBytes = 0
            if hasFrames { return .discontinuity }
        }
        if announcedKey != shape.formatKey {
            announcedKey = shape.formatKey
            let format = shape.header.format
            if announced != format {
                announced = format
                return .format(format)
            }
        }
        if shape.header.hasChecksum {
            if !hasToldChecksum, isChecksumWrong(shape) {
                hasToldChecksum = true
                return .wrongChecksum
            }
            hasToldChecksum = false
        }
        hasFrames = true
        let offset = buffer.offset
        return .frame(
            Frame(
                range: buffer.pass(shape.length), offset: offset, samples: shape.samples,
                backReference: backReference, bitRate: shape.bitRate))
    }

    private func isChecksumWrong(_ shape: MPEGFrameShape) -> Bool {
        buffer.withUnread { MPEGChecksum.isWrong(in: UnsafeRawBufferPointer(rebasing: $0[..<shape.length])) }
    }

    private mutating func skipTag() -> FramerEvent? {
        let count = min(tagBytesLeft, buffer.count)
        guard count > 0 else { return nil }
        tagBytesLeft -= count
        let range = buffer.pass(count)
        if var tag = tag.take() {
            buffer.withBytes(range) { tag.append(contentsOf: $0.prefix(Self.longestReadTag - tag.count)) }
            if tagBytesLeft == 0 {
                title = ID3v2Tag(parsing: tag)?.streamTitle.map(TitleText.cleaned)
            } else {
                self.tag = tag
            }
        }
        return .skipped(bytes: count, .tag)
    }

    /// So much of a tag is kept to be read: what is longer has pictures, and titles stand before those.
    private static let longestReadTag = 64 << 10
}
