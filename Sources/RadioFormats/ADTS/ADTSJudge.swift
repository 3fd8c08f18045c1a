// SPDX-License-Identifier: MIT

/// What ``ADTSFramer`` knows of the stream, and what it makes of the bytes that come next.
struct ADTSJudge {
    enum Verdict {
        /// More bytes could change everything.
        case wait
        /// A whole frame that may be given out.
        case frame(ADTSHeader)
        /// A whole frame behind which there is not even a header yet.
        case unconfirmed(ADTSHeader)
        /// Frames can be believed from here on.
        case lock(ADTSHeader)
        case tag(length: Int)
        /// So many lost bytes, and the header behind them from which frames can be believed, if one was found.
        case junk(Int, lock: ADTSHeader?)
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

    private let confirmation: FrameConfirmation
    private var phase = Phase.start
    /// The last header that was believed.
    private var header: ADTSHeader?
    /// The shortest and the longest frame since the lock.
    private var shortest = ADTSHeader.longestFrame
    private var longest = Int.min
    /// Junk since the last frame.
    var lostBytes = 0

    init(confirmation: FrameConfirmation) {
        self.confirmation = confirmation
    }

    // MARK: - What happened

    mutating func believe(_ header: ADTSHeader) {
        if header.fixed != self.header?.fixed { (shortest, longest) = (ADTSHeader.longestFrame, .min) }
        self.header = header
        phase = .due
    }

    mutating func lose(_ count: Int) {
        lostBytes += count
        phase = .searching
    }

    mutating func gave(_ header: ADTSHeader) {
        self.header = header
        shortest = min(shortest, header.frameLength)
        longest = max(longest, header.frameLength)
    }

    // MARK: - What the bytes are

    func verdict(on ahead: ADTSLookahead) -> Verdict {
        guard !ahead.bytes.isEmpty else { return .wait }
        switch phase {
        case .due:
            guard let header else { return search(ahead, from: 0) }
            return judgeDue(ahead, header)
        case .searching:
            return search(ahead, from: 0)
        case .start:
            switch TagSkipper.look(ahead.bytes) {
            case .tag(let length): return .tag(length: length)
            case .incomplete where !ahead.isFinal: return .wait
            case .incomplete, .none: return search(ahead, from: 0)
            }
        }
    }

    private func judgeDue(_ ahead: ADTSLookahead, _ last: ADTSHeader) -> Verdict {
        switch ahead.step(at: 0) {
        case .frame(let header) where header.fixed == last.fixed:
            let end = header.frameLength
            guard end <= ahead.bytes.count else {
                return ahead.isFinal ? search(ahead, from: 1, orElse: .truncated) : .wait
            }
            if confirmation == .changedHeaders, isUsual(header), ahead.endsLikeAFrame(at: end) { return .frame(header) }
            return switch isConfirmed(ahead, header, last) {
            case .yes: .frame(header)
            case .no: search(ahead, from: 1)
            case .unknown: end + ADTSHeader.length > ahead.bytes.count ? .unconfirmed(header) : .wait
            }
        case .frame(let header):
            return switch ahead.isLock(at: 0, header, known: last) {
            case .yes: .lock(header)
            case .no: search(ahead, from: 1)
            case .unknown: .wait
            }
        case .tag(let length):
            return length <= Self.longestTag ? .tag(length: length) : search(ahead, from: 1)
        case .end: return .truncated
        case .nothing: return search(ahead, from: 1)
        case .unknown: return .wait
        }
    }

    /// Whether a frame is all right for what stands at its end and, since its own header may be damaged, inside it.
    private func isConfirmed(_ ahead: ADTSLookahead, _ header: ADTSHeader, _ last: ADTSHeader) -> ADTSLookahead.Answer {
        let end = header.frameLength
        let answer = ahead.isConfirmed(header, at: end)
        guard case .yes = answer else { return answer }
        // A number of blocks that neither neighbour has would make the frame last as long as several.
        if header.blocks != last.blocks, ahead.header(at: end)?.blocks == last.blocks { return .no }
        // A damaged length can reach exactly to the frame after the next.
        if header.frameLength >= 2 * shortest, ahead.holdsFrames(like: header, upTo: end) { return .no }
        return .yes
    }

    private func isUsual(_ header: ADTSHeader) -> Bool {
        shortest <= header.frameLength && header.frameLength <= longest
    }

    /// The next place from `first` on where frames can be believed: what lies before it is lost. At the end of the
    /// input `verdict` counts where there is no such place.
    private func search(_ ahead: ADTSLookahead, from first: Int, orElse verdict: Verdict? = nil) -> Verdict {
        var place = first
        while true {
            place = ahead.nextSync(from: place)
            guard place + ADTSHeader.length <= ahead.bytes.count else { break }
            if let found = ahead.header(at: place) {
                let isNear = lostBytes + place <= Self.memory
                switch ahead.isLock(at: place, found, known: isNear ? header : nil) {
                case .yes: return place > 0 ? .junk(place, lock: found) : .lock(found)
                case .unknown: return place > 0 ? .junk(place, lock: nil) : .wait
                case .no: break
                }
            }
            place += 1
        }
        if ahead.isFinal {
            if let verdict { return verdict }
            place = ahead.bytes.count
        }
        return place > 0 ? .junk(place, lock: nil) : .wait
    }

    /// A tag between frames that claims to be longer is not believed. At the beginning of a stream it is.
    private static let longestTag = 512 << 10
    /// After so many bytes without a frame, a format has to prove itself again.
    private static let memory = 16 << 10
}
