// SPDX-License-Identifier: MIT

/// Finds the frames of MPEG audio: MPEG 1, 2 and 2.5, layers I to III, constant, variable and free bit rate.
///
/// It locks on three headers of one format in a row. Then a frame whose header repeats the one before it is given out
/// when its last byte is there; one whose header differs (padding, bit rate, mode) is held until the next header stands
/// where it says. A damaged header costs that frame. After a byte that is no header where one is due, frames are
/// believed again from the next place where two headers of the old format or three of a new one follow each other.
///
/// Tags between frames and frames that describe a file (Xing, Info, VBRI) are skipped. A free-format frame is at most
/// 4 KiB long, so at most about 12 KiB are held beyond what one ``append(_:)`` gave.
package struct MPEGAudioFramer: Framer {
    /// Which frames wait for the header after them.
    package enum Confirmation: Hashable, Sendable {
        /// Those whose header differs from the one before. Where bytes are missing from the middle of a frame, it is
        /// given out with the beginning of a later one as its end.
        case changedHeaders
        /// All: no frame is ever put together from two. Each comes out one frame later.
        case everyFrame
    }

    private enum Phase {
        /// Nothing but tags so far.
        case start
        /// A frame like `shape` should begin here.
        case due
        /// No frame where one was due.
        case searching
    }

    /// What the bytes at `start` are.
    private enum Verdict {
        case wait
        /// A whole frame that may be given out.
        case frame(MPEGFrameShape)
        /// Frames can be believed from here on.
        case lock(MPEGFrameShape)
        case tag(length: Int)
        /// So many lost bytes; after them is a frame due, or there is something to look at when more bytes are there.
        case junk(Int, then: Phase, MPEGFrameShape?)
        case truncated
    }

    private let confirmation: Confirmation
    private var bytes: [UInt8] = []
    /// The first byte in `bytes` that is not accounted for.
    private var start = 0
    /// Offset of `bytes[0]` in all that was appended.
    private var base: Int64 = 0
    private var isFinal = false

    private var phase = Phase.start
    /// The last header that was believed.
    private var shape: MPEGFrameShape?
    private var tagBytesLeft = 0
    /// Junk since the last frame.
    private var lostBytes = 0
    private var hasFrames = false
    private var announced: StreamFormat?
    private var announcedKey: UInt32?

    package init(confirmation: Confirmation = .changedHeaders) {
        self.confirmation = confirmation
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start > 0 {
            self.bytes.removeSubrange(0..<start)
            base += Int64(start)
            start = 0
        }
        self.bytes.append(contentsOf: bytes)
    }

    package mutating func finish() {
        isFinal = true
    }

    package func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[frame.range])) }
    }

    package mutating func next() -> FramerEvent? {
        while true {
            if tagBytesLeft > 0 { return skipTag() }
            switch bytes.withUnsafeBytes({ judge(MPEGLookahead(bytes: $0, isFinal: isFinal)) }) {
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
            case .junk(let count, let phase, let shape):
                self.phase = phase
                self.shape = shape
                lostBytes += count
                start += count
                return .skipped(bytes: count, .junk)
            case .truncated:
                defer { start = bytes.count }
                return .skipped(bytes: bytes.count - start, .truncated)
            }
        }
    }

    // MARK: - What to say

    /// The whole frame at `start`, and before it what must be known of it: one event for each call.
    private mutating func give(_ shape: MPEGFrameShape) -> FramerEvent {
        let range = start..<start + shape.length
        let (isInfo, backReference) = bytes.withUnsafeBytes { bytes in
            let frame = UnsafeRawBufferPointer(rebasing: bytes[range])
            return (shape.isInfo(frame), shape.backReference(of: frame))
        }
        if isInfo {
            start = range.upperBound
            return .skipped(bytes: range.count, .infoFrame)
        }
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
        start = range.upperBound
        return .frame(
            Frame(
                range: range, offset: base + Int64(range.lowerBound), samples: shape.samples,
                backReference: backReference, bitRate: shape.bitRate))
    }

    private mutating func skipTag() -> FramerEvent? {
        let count = min(tagBytesLeft, bytes.count - start)
        guard count > 0 else { return nil }
        tagBytesLeft -= count
        start += count
        return .skipped(bytes: count, .tag)
    }

    // MARK: - What the bytes are

    private func judge(_ ahead: MPEGLookahead) -> Verdict {
        guard start < bytes.count else { return .wait }
        switch phase {
        case .start:
            switch TagSkipper.look(UnsafeRawBufferPointer(rebasing: ahead.bytes[start...])) {
            case .tag(let length): return .tag(length: length)
            case .incomplete where !isFinal: return .wait
            case .incomplete, .none: return search(ahead, from: start)
            }
        case .searching:
            return search(ahead, from: start)
        case .due:
            guard let shape else { return search(ahead, from: start) }
            return judgeDue(ahead, shape)
        }
    }

    private func judgeDue(_ ahead: MPEGLookahead, _ last: MPEGFrameShape) -> Verdict {
        if confirmation == .changedHeaders, let word = ahead.word(at: start), last.isRepeated(by: word),
            start + last.length <= bytes.count
        {
            return .frame(last)
        }
        switch ahead.step(at: start, after: last) {
        case .frame(let shape):
            let end = start + shape.length
            // A damaged bit rate can span two frames exactly. Then the second one stands where it always did.
            if shape.length > last.length + shape.header.slot {
                guard let next = ahead.placeAfterDamage(at: start, like: last) else { return .wait }
                if next > start { return .junk(next - start, then: .due, last) }
            }
            if end > bytes.count {
                guard isFinal else { return .wait }
                return last.isRepeated(by: shape.header.word) ? .truncated : resync(ahead, last, orElse: .truncated)
            }
            switch isConfirmed(ahead, shape, at: end) {
            case .some(true): return .frame(shape)
            case .some(false): return resync(ahead, last)
            case .none: return .wait
            }
        case .tag(let length):
            return length <= Self.longestTag ? .tag(length: length) : resync(ahead, last)
        case .end:
            return .truncated
        case .unknown:
            return .wait
        case .nothing:
            switch ahead.lock(at: start, known: last) {
            case .yes(let shape): return .lock(shape)
            case .no: return resync(ahead, last)
            case .unknown: return .wait
            }
        }
    }

    /// Whether something that may follow a frame stands at its end; nil: not known yet.
    private func isConfirmed(_ ahead: MPEGLookahead, _ shape: MPEGFrameShape, at end: Int) -> Bool? {
        switch ahead.step(at: end, after: shape) {
        case .frame, .tag, .end: return true
        case .unknown: return nil
        case .nothing:
            switch ahead.lock(at: end, known: shape) {
            case .yes: return true
            case .no: return false
            case .unknown: return nil
            }
        }
    }

    /// The frame that is due is damaged: where do frames go on?
    private func resync(_ ahead: MPEGLookahead, _ last: MPEGFrameShape, orElse verdict: Verdict? = nil) -> Verdict {
        guard let next = ahead.placeAfterDamage(at: start, like: last) else { return .wait }
        if next > start { return .junk(next - start, then: .due, last) }
        let found = search(ahead, from: start + 1)
        if let verdict, case .junk(_, then: .searching, _) = found { return verdict }
        return found
    }

    /// The next place from `first` on where frames can be believed. What lies before it is lost.
    private func search(_ ahead: MPEGLookahead, from first: Int) -> Verdict {
        var place = first
        while true {
            place = ahead.nextSync(from: place)
            if place + 4 > bytes.count { break }
            let isNear = lostBytes + place - start <= Self.memory
            switch ahead.lock(at: place, known: isNear ? shape : nil) {
            case .yes(let found):
                return place > start ? .junk(place - start, then: .due, found) : .lock(found)
            case .unknown:
                return place > start ? .junk(place - start, then: .searching, shape) : .wait
            case .no: place += 1
            }
        }
        if isFinal { place = bytes.count }
        return place > start ? .junk(place - start, then: .searching, shape) : .wait
    }

    /// A tag between frames that claims to be longer is not believed. At the beginning of a stream it is.
    private static let longestTag = 512 << 10
    /// After so many bytes without a frame, a format has to prove itself again.
    private static let memory = 8 << 10
}
