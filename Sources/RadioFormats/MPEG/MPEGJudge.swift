// SPDX-License-Identifier: MIT

/// What ``MPEGAudioFramer`` knows of the stream, and what it makes of the bytes that come next.
struct MPEGJudge {
    enum Verdict {
        /// More bytes could change everything.
        case wait
        /// A whole frame that may be given out.
        case frame(MPEGFrameShape)
        /// A whole frame behind which there is not even a header yet.
        case unconfirmed(MPEGFrameShape)
        /// Frames can be believed from here on.
        case lock(MPEGFrameShape)
        case tag(length: Int)
        /// So many lost bytes. After them a frame like this one is due; nil: there is something to look at when more
        /// bytes are there.
        case junk(Int, due: MPEGFrameShape?)
        case truncated
    }

    private enum Phase {
        /// Nothing but tags so far.
        case start
        /// A frame like `shape` should begin here.
        case due
        /// No frame where one was due.
        case searching
    }

    private let confirmation: FrameConfirmation
    private var phase = Phase.start
    /// The last header that was believed.
    private var shape: MPEGFrameShape?
    /// Junk since the last frame.
    var lostBytes = 0

    init(confirmation: FrameConfirmation) {
        self.confirmation = confirmation
    }

    // MARK: - What happened

    mutating func believe(_ shape: MPEGFrameShape) {
        self.shape = shape
        phase = .due
    }

    mutating func lose(_ count: Int, due shape: MPEGFrameShape?) {
        lostBytes += count
        phase = .searching
        if let shape { believe(shape) }
    }

    // MARK: - What the bytes are

    func verdict(on ahead: MPEGLookahead) -> Verdict {
        guard !ahead.bytes.isEmpty else { return .wait }
        switch phase {
        case .start:
            switch TagSkipper.look(ahead.bytes) {
            case .tag(let length): return .tag(length: length)
            case .incomplete where !ahead.isFinal: return .wait
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
            if next > 0 { return .junk(next, due: last) }
        }
        guard shape.length <= ahead.bytes.count else {
            guard ahead.isFinal else { return .wait }
            guard !last.isRepeated(by: shape.header.word), case let found = resync(ahead, last),
                case .junk(_, due: .some) = found
            else { return .truncated }
            return found
        }
        return switch isConfirmed(ahead, shape, at: shape.length, last) {
        case .some(true): .frame(shape)
        case .some(false): resync(ahead, last)
        case .none: ahead.word(at: shape.length) == nil ? .unconfirmed(shape) : .wait
        }
    }

    /// Whether something that may follow a frame stands at its end; nil: not known yet.
    private func isConfirmed(
        _ ahead: MPEGLookahead, _ shape: MPEGFrameShape, at end: Int, _ last: MPEGFrameShape
    ) -> Bool? {
        switch ahead.step(at: end, after: shape) {
        case .frame, .tag, .end:
            // A damaged bit rate can reach exactly to the frame after the next.
            return last.isContinued(by: shape.header.word) || !ahead.holdsFrames(in: shape, like: last)
        case .unknown: return nil
        case .nothing:
            return switch ahead.lock(at: end, known: shape) {
            case .yes: true
            // The next header may be the damaged one, not this.
            case .no: last.isContinued(by: shape.header.word) ? ahead.isDamageAlone(at: end, like: shape) : false
            case .unknown: nil
            }
        }
    }

    /// The frame that is due is damaged: where do frames go on?
    private func resync(_ ahead: MPEGLookahead, _ last: MPEGFrameShape) -> Verdict {
        guard let next = ahead.placeAfterDamage(at: 0, like: last) else { return .wait }
        return next > 0 ? .junk(next, due: last) : search(ahead, from: 1)
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
                return place > 0 ? .junk(place, due: found) : .lock(found)
            case .unknown:
                return place > 0 ? .junk(place, due: nil) : .wait
            case .no: place += 1
            }
        }
        if ahead.isFinal { place = ahead.bytes.count }
        return place > 0 ? .junk(place, due: nil) : .wait
    }

    /// A tag between frames that claims to be longer is not believed. At the beginning of a stream it is.
    private static let longestTag = 512 << 10
    /// After so many bytes without a frame, a format has to prove itself again.
    private static let memory = 8 << 10
}
