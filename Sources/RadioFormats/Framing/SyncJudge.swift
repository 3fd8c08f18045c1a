// SPDX-License-Identifier: MIT

/// What a ``SyncFramer`` knows of the stream, and what it makes of the bytes that come next.
struct SyncJudge<Header: SyncHeader> {
    typealias Lookahead = SyncLookahead<Header>

    enum Verdict {
        /// More bytes could change everything. Before there are so many there is no need to look again.
        case wait(needed: Int)
        /// A whole frame that may be given out, and whether something that may follow it stands behind it.
        case frame(Header, isFollowed: Bool)
        /// A whole frame behind which there is not even a header yet.
        case unconfirmed(Header)
        /// Frames can be believed from here on.
        case lock(Header)
        case tag(length: Int)
        /// So many lost bytes. After them a frame like this one is due; nil: there is something to look at when more
        /// bytes are there.
        case junk(Int, due: Header?)
        case truncated
    }

    private enum Phase {
        /// Nothing but tags so far.
        case start
        /// A frame like the last one should begin here.
        case due
        /// No frame where one was due.
        case searching
    }

    private var phase = Phase.start
    /// The last header that was believed.
    private var header: Header?
    /// Bytes of the shortest and of the longest frame of its format so far.
    private var (shortest, longest) = (0, 0)
    /// Junk since the last frame.
    var lostBytes = 0

    // MARK: - What happened

    mutating func believe(_ header: Header) {
        let isSame = header.formatKey == self.header?.formatKey
        shortest = isSame ? min(shortest, header.length) : header.length
        longest = isSame ? max(longest, header.length) : header.length
        self.header = header
        phase = .due
    }

    mutating func lose(_ count: Int, due header: Header?) {
        lostBytes += count
        phase = .searching
        if let header { believe(header) }
    }

    // MARK: - What the bytes are

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
        case .due:
            guard let header else { return search(ahead, from: 0) }
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
            switch ahead.lock(at: 0, known: last) {
            case .yes(let lock): return lock.place > 0 ? .junk(lock.place, due: lock.header) : .lock(lock.header)
            case .no: return resync(ahead, last)
            case .unknown(let needed): return .wait(needed: needed)
            }
        }
    }

    /// A frame of the right format is due and seems to be there.
    private func judgeFrame(_ ahead: Lookahead, _ header: Header, _ last: Header) -> Verdict {
        guard header.length <= ahead.bytes.count else {
            guard ahead.isFinal else { return .wait(needed: header.length) }
            // The end came before the frame was whole; or its length is damaged, and there are frames in what follows.
            guard !header.repeats(last), case let found = resync(ahead, last), case .junk(_, due: .some) = found else {
                return .truncated
            }
            return found
        }
        switch ahead.step(at: header.length, after: header) {
        case .frame, .tag, .end:
            // A damaged length can reach exactly to where a later frame ends.
            let mayHoldFrames = header.length >= 2 * shortest && !header.repeats(last)
            guard mayHoldFrames else { return .frame(header, isFollowed: true) }
            return switch ahead.rival(of: header, at: 0, known: last, isDue: true) {
            case .yes: resync(ahead, last)
            case .no: .frame(header, isFollowed: true)
            case .unknown(let needed): .wait(needed: needed)
            }
        case .unknown(let needed):
            return ahead.front(at: header.length) == nil ? .unconfirmed(header) : .wait(needed: needed)
        case .nothing:
            return judgeLast(ahead, header, last)
        }
    }

    /// A frame seems to be there, and none of its format follows it.
    private func judgeLast(_ ahead: Lookahead, _ header: Header, _ last: Header) -> Verdict {
        switch ahead.chain(at: header.length, known: header) {
        case .yes: return .frame(header, isFollowed: true)
        case .unknown(let needed): return .wait(needed: needed)
        case .no: break
        }
        switch header.isWholeBeforeDamage(ahead, after: last) {
        case .yes: return .frame(header, isFollowed: true)
        case .unknown(let needed): return .wait(needed: needed)
        case .no: break
        }
        // Where all frames are alike, one that is not has a damaged header.
        guard header.repeats(last) || longest - shortest > Lookahead.mostPadding else { return resync(ahead, last) }
        return switch ahead.isWhole(header) {
        case .yes: .frame(header, isFollowed: false)
        case .no: resync(ahead, last)
        case .unknown(let needed): .wait(needed: needed)
        }
    }

    /// The frame that is due is damaged: where do frames go on?
    private func resync(_ ahead: Lookahead, _ last: Header) -> Verdict {
        switch last.placeAfterDamage(ahead, at: 0) {
        case .yes(let next): .junk(next, due: last)
        case .no: search(ahead, from: 1)
        case .unknown(let needed): .wait(needed: needed)
        }
    }

    /// The next place from `first` on where frames can be believed. What lies before it is lost.
    private func search(_ ahead: Lookahead, from first: Int) -> Verdict {
        var place = ahead.nextSync(from: first)
        while ahead.front(at: place) != nil {
            let isNear = lostBytes + place <= Self.memory
            switch ahead.lock(at: place, known: isNear ? header : nil) {
            case .yes(let lock): return lock.place > 0 ? .junk(lock.place, due: lock.header) : .lock(lock.header)
            case .unknown(let needed): return place > 0 ? .junk(place, due: nil) : .wait(needed: needed)
            case .no: place = ahead.nextSync(from: place + 1)
            }
        }
        if ahead.isFinal { place = ahead.bytes.count }
        return place > 0 ? .junk(place, due: nil) : .wait(needed: Header.byteCount)
    }

    /// A tag between frames that claims to be longer is not believed. At the beginning of a stream it is.
    private static var longestTag: Int { 512 << 10 }
    /// After so many bytes without a frame, a format has to prove itself again.
    private static var memory: Int { 16 << 10 }
}
