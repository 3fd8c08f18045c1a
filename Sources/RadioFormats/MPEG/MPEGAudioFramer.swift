// SPDX-License-Identifier: MIT

/// Finds the frames of MPEG audio: MPEG 1, 2 and 2.5, layers I to III, constant, variable and free bit rate.
///
/// It locks on three headers of one format in a row. Then a frame whose header repeats the one before it is given out
/// when its last byte is there; one whose header differs (padding, bit rate, mode) is held until the next header stands
/// where it says. A damaged header costs that frame. After a byte that is no header where one is due, frames are
/// believed again from the next place where two headers of the old format or three of a new one follow each other.
///
/// Tags between frames and frames that describe a file (Xing, Info, VBRI) are skipped; the title of an ID3v2 tag is
/// told. A free-format frame is at most 4 KiB long, so at most about 12 KiB are held beyond what one ``append(_:)``
/// gave, and 64 KiB of a tag.
package struct MPEGAudioFramer: Framer {
    private enum Phase {
        /// Nothing but tags so far.
        case start
        /// A frame like `shape` should begin here.
        case due
        /// No frame where one was due.
        case searching
    }

    /// What the bytes that come next are.
    private enum Verdict {
        case wait
        /// A whole frame that may be given out.
        case frame(MPEGFrameShape)
        /// Frames can be believed from here on.
        case lock(MPEGFrameShape)
        case tag(length: Int)
        /// So many lost bytes; after them a frame is due, or there is something to look at when more bytes are there.
        case junk(Int, then: Phase, MPEGFrameShape?)
        case truncated
    }

    private let confirmation: FrameConfirmation
    private var buffer = FramingBuffer()
    private var isFinal = false

    private var phase = Phase.start
    /// The last header that was believed.
    private var shape: MPEGFrameShape?
    /// Junk since the last frame.
    private var lostBytes = 0
    private var hasFrames = false
    private var announced: StreamFormat?
    private var announcedKey: UInt32?

    private var tagBytesLeft = 0
    /// The part of an ID3v2 tag that has come so far.
    private var tag: [UInt8]?
    private var title: String?

    package init(confirmation: FrameConfirmation = .changedHeaders) {
        self.confirmation = confirmation
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(bytes)
    }

    package mutating func finish() {
        isFinal = true
    }

    package func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withBytes(frame.range, body)
    }

    package mutating func next() -> FramerEvent? {
        while true {
            if tagBytesLeft > 0 { return skipTag() }
            if let title = title.take() { return .title(title) }
            switch buffer.withUnread({ judge($0) }) {
            case .wait:
                return nil
            case .frame(let shape):
                self.shape = shape
                return give(shape)
            case .lock(let shape):
                self.shape = shape
                phase = .due
            case .tag(let length):
                tagBytesLeft = length
                tag = length <= Self.longestReadTag ? [] : nil
            case .junk(let count, let phase, let shape):
                self.phase = phase
                self.shape = shape
                lostBytes += count
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
        if lostBytes > 0 {
            lostBytes = 0
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
        hasFrames = true
        let offset = buffer.offset
        return .frame(
            Frame(
                range: buffer.pass(shape.length), offset: offset, samples: shape.samples,
                backReference: backReference, bitRate: shape.bitRate))
    }

    private mutating func skipTag() -> FramerEvent? {
        let count = min(tagBytesLeft, buffer.count)
        guard count > 0 else { return nil }
        tagBytesLeft -= count
        let range = buffer.pass(count)
        if var tag = tag.take() {
            buffer.withBytes(range) { tag.append(contentsOf: $0) }
            if tagBytesLeft == 0 {
                title = ID3v2Tag(parsing: tag)?.streamTitle.map(TitleText.cleaned)
            } else {
                self.tag = tag
            }
        }
        return .skipped(bytes: count, .tag)
    }

    // MARK: - What the bytes are

    private func judge(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        guard !bytes.isEmpty else { return .wait }
        let ahead = MPEGLookahead(bytes: bytes, isFinal: isFinal, hasFrames: hasFrames)
        switch phase {
        case .start:
            switch TagSkipper.look(bytes) {
            case .tag(let length): return .tag(length: length)
            case .incomplete where !isFinal: return .wait
            case .incomplete, .none: return search(ahead, from: 0)
            }
        case .searching:
            return search(ahead, from: 0)
        case .due:
            guard let shape else { return search(ahead, from: 0) }
            return judgeDue(ahead, shape)
        }
    }

    private func judgeDue(_ ahead: MPEGLookahead, _ last: MPEGFrameShape) -> Verdict {
        if confirmation == .changedHeaders, last.length <= ahead.bytes.count,
            let word = ahead.word(at: 0), last.isRepeated(by: word)
        {
            return .frame(last)
        }
        switch ahead.step(at: 0, after: last) {
        case .frame(let shape):
            return judgeFrame(ahead, shape, last)
        case .tag(let length):
            return length <= Self.longestTag ? .tag(length: length) : resync(ahead, last)
        case .end:
            return .truncated
        case .unknown:
            return .wait
        case .nothing:
            switch ahead.lock(at: 0, known: last) {
            case .yes(let shape): return .lock(shape)
            case .no: return resync(ahead, last)
            case .unknown: return .wait
            }
        }
    }

    /// A frame of the right format is due and seems to be there.
    private func judgeFrame(_ ahead: MPEGLookahead, _ shape: MPEGFrameShape, _ last: MPEGFrameShape) -> Verdict {
        // A damaged bit rate can span two frames exactly. Then the second one stands where it always did.
        if shape.length > last.length + shape.header.slot {
            guard let next = ahead.placeAfterDamage(at: 0, like: last) else { return .wait }
            if next > 0 { return .junk(next, then: .due, last) }
        }
        guard shape.length <= ahead.bytes.count else {
            guard isFinal else { return .wait }
            guard !last.isRepeated(by: shape.header.word), case let found = resync(ahead, last),
                case .junk(_, then: .due, _) = found
            else { return .truncated }
            return found
        }
        return switch isConfirmed(ahead, shape, at: shape.length) {
        case .some(true): .frame(shape)
        case .some(false): resync(ahead, last)
        case .none: .wait
        }
    }

    /// Whether something that may follow a frame stands at its end; nil: not known yet.
    private func isConfirmed(_ ahead: MPEGLookahead, _ shape: MPEGFrameShape, at end: Int) -> Bool? {
        switch ahead.step(at: end, after: shape) {
        case .frame, .tag, .end: return true
        case .unknown: return nil
        case .nothing:
            return switch ahead.lock(at: end, known: shape) {
            case .yes: true
            case .no: false
            case .unknown: nil
            }
        }
    }

    /// The frame that is due is damaged: where do frames go on?
    private func resync(_ ahead: MPEGLookahead, _ last: MPEGFrameShape) -> Verdict {
        guard let next = ahead.placeAfterDamage(at: 0, like: last) else { return .wait }
        return next > 0 ? .junk(next, then: .due, last) : search(ahead, from: 1)
    }

    /// The next place from `first` on where frames can be believed. What lies before it is lost.
    private func search(_ ahead: MPEGLookahead, from first: Int) -> Verdict {
        var place = first
        while true {
            place = ahead.nextSync(from: place)
            if place + 4 > ahead.bytes.count { break }
            let isNear = lostBytes + place <= Self.memory
            switch ahead.lock(at: place, known: isNear ? shape : nil) {
            case .yes(let found):
                return place > 0 ? .junk(place, then: .due, found) : .lock(found)
            case .unknown:
                return place > 0 ? .junk(place, then: .searching, shape) : .wait
            case .no: place += 1
            }
        }
        if isFinal { place = ahead.bytes.count }
        return place > 0 ? .junk(place, then: .searching, shape) : .wait
    }

    /// A tag between frames that claims to be longer is not believed. At the beginning of a stream it is.
    private static let longestTag = 512 << 10
    /// A longer tag holds pictures and is not kept to be read.
    private static let longestReadTag = 64 << 10
    /// After so many bytes without a frame, a format has to prove itself again.
    private static let memory = 8 << 10
}
