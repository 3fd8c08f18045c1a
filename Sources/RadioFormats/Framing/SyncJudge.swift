// SPDX-License-Identifier: MIT

/// The state of a ``SyncFramer``'s stream, and the judgement of the next bytes.
struct SyncJudge<Header: SyncHeader> {
    typealias Lookahead = SyncLookahead<Header>

    enum Verdict {
        /// More bytes could change the verdict. There is no point in asking again before `needed` bytes are at hand.
        case wait(needed: Int)
        /// A whole frame that may be returned.
        case frame(Header)
        /// A whole frame that is not yet followed by enough bytes for a header.
        case unconfirmed(Header)
        /// Frames are accepted from here on.
        case lock(Header)
        case tag(length: Int)
        /// This many bytes are lost. A frame like `due` should begin after them; if `due` is nil, the search for frames
        /// continues there.
        case junk(Int, due: Header?)
        case truncated
    }

    private enum Phase {
        /// Nothing but tags so far.
        case start
        /// The frame with this header, or a frame that follows a frame with this header, should begin here.
        case due(Header)
        /// No frame began where one was due.
        case searching
    }

    private var phase = Phase.start
    /// The header of the last frame.
    private var known: Header?
    /// The length in bytes of the shortest frame so far in the format of the last frame.
    private var shortest = 0
    /// The bytes of junk since the last frame.
    private(set) var lostBytes = 0

    /// The header of the last frame, if nothing was lost since and the next frame is due right after it.
    var unbroken: Header? {
        guard lostBytes == 0, case .due(let header) = phase else { return nil }
        return header
    }

    /// Whether the frame, which follows `last`, is so much longer than others that it could cover whole frames: a
    /// damaged length can reach exactly to the end of a later frame.
    func mayReachOver(_ header: Header, after last: Header) -> Bool {
        !header.repeats(last) && header.length >= 2 * shortest
    }

    // MARK: - Events

    mutating func lock(on header: Header) {
        phase = .due(header)
    }

    mutating func lose(_ count: Int, due header: Header?) {
        lostBytes += count
        phase = header.map { .due($0) } ?? .searching
    }

    /// Makes the header of the frame just returned the one that the next frame must match.
    mutating func gave(_ header: Header) {
        let isSame = header.formatKey == known?.formatKey
        shortest = isSame ? min(shortest, header.length) : header.length
        (known, phase, lostBytes) = (header, .due(header), 0)
    }

    // MARK: - Verdicts

    func verdict(on ahead: Lookahead) -> Verdict {
        guard !ahead.bytes.isEmpty else { return .wait(needed: 1) }
        switch phase {
        case .start:
            switch TagSkipper.look(ahead.bytes) {
            case .tag(let length): return .tag(length: length)
            case .incomplete where !ahead.isFinal: return .wait(needed: ahead.bytes.count + 1)
            case .incomplete, .none: return search(ahead, from: 0)
            }
        case .searching:
            return search(ahead, from: 0)
        case .due(let header):
            return judgeDue(ahead, header)
        }
    }

    private func judgeDue(_ ahead: Lookahead, _ last: Header) -> Verdict {
        switch ahead.step(at: 0, after: last) {
        case .frame(let header):
            return judgeFrame(ahead, header, last)
        case .tag(let length):
            return length <= Self.longestTag ? .tag(length: length) : resync(ahead, last)
        case .end:
            return .truncated
        case .unknown(let needed):
            return .wait(needed: needed)
        case .nothing:
            switch ahead.lock(at: 0, known: known) {
            case .yes(let lock): return lock.place > 0 ? .junk(lock.place, due: lock.header) : .lock(lock.header)
            case .no: return resync(ahead, last)
            case .unknown(let needed): return .wait(needed: needed)
            }
        }
    }

    /// Judges a frame that is due and whose header has the right format. Three cases:
    ///
    /// - The frame is incomplete: more bytes are needed. At the end of the input, it is cut off, or its length is
    ///   wrong.
    /// - The frame is long enough to cover others, and its header differs: frames inside it are evidence against it.
    /// - Otherwise, what stands at its end decides: a frame or a tag there confirms it.
    private func judgeFrame(_ ahead: Lookahead, _ header: Header, _ last: Header) -> Verdict {
        guard header.length <= ahead.bytes.count else {
            guard ahead.isFinal else { return .wait(needed: header.length) }
            // Either the input ended before the frame was whole, or the frame's length is damaged. In the second case,
            // frames begin in the bytes that follow.
            guard !header.repeats(last), case let found = resync(ahead, last), case .junk(_, due: .some) = found else {
                return .truncated
            }
            return found
        }
        if mayReachOver(header, after: last) {
            switch ahead.speaksAgainst(due: header, at: 0, known: last) {
            case .yes: return resync(ahead, last)
            case .no: break
            case .unknown(let needed):
                return ahead.front(at: header.length) == nil ? .unconfirmed(header) : .wait(needed: needed)
            }
        }
        switch ahead.step(at: header.length, after: header) {
        case .frame, .tag, .end:
            return .frame(header)
        case .unknown(let needed):
            return ahead.front(at: header.length) == nil ? .unconfirmed(header) : .wait(needed: needed)
        case .nothing:
            return judgeLast(ahead, header, last)
        }
    }

    /// Judges a frame that is not followed by a header of its format.
    private func judgeLast(_ ahead: Lookahead, _ header: Header, _ last: Header) -> Verdict {
        switch ahead.lock(at: header.length, known: header) {
        case .yes(let lock) where lock.place == header.length: return .frame(header)
        case .yes, .no: break
        case .unknown(let needed): return .wait(needed: needed)
        }
        switch header.isWholeBeforeDamage(ahead, after: last) {
        case .yes: return .frame(header)
        case .unknown(let needed): return .wait(needed: needed)
        case .no: break
        }
        return switch ahead.isWhole(header) {
        case .yes: .frame(header)
        case .no: resync(ahead, last)
        case .unknown(let needed): .wait(needed: needed)
        }
    }

    /// Finds where frames continue after the due frame, which is damaged.
    private func resync(_ ahead: Lookahead, _ last: Header) -> Verdict {
        switch last.placeAfterDamage(ahead, at: 0) {
        case .yes(let next): .junk(next, due: last)
        case .no: search(ahead, from: 1)
        case .unknown(let needed): .wait(needed: needed)
        }
    }

    /// Finds the next place, from `first` on, where frames can be accepted. The bytes before it are lost.
    private func search(_ ahead: Lookahead, from first: Int) -> Verdict {
        var place = ahead.nextSync(from: first)
        while ahead.front(at: place) != nil {
            let isNear = lostBytes + place <= Self.memory
            switch ahead.lock(at: place, known: isNear ? known : nil) {
            case .yes(let lock): return lock.place > 0 ? .junk(lock.place, due: lock.header) : .lock(lock.header)
            case .unknown(let needed): return place > 0 ? .junk(place, due: nil) : .wait(needed: needed)
            case .no: place = ahead.nextSync(from: place + 1)
            }
        }
        if ahead.isFinal { place = ahead.bytes.count }
        return place > 0 ? .junk(place, due: nil) : .wait(needed: Header.byteCount)
    }

    /// The length limit of a tag in bytes. A longer tag between frames is taken for damage; at the beginning of a
    /// stream it is skipped.
    private static var longestTag: Int { 512 << 10 }
    /// After this many bytes without a frame, the old format needs as many consecutive headers as a new format.
    private static var memory: Int { 16 << 10 }
}
