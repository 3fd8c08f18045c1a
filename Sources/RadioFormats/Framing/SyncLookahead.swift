// SPDX-License-Identifier: MIT

/// The bytes that a framer holds, and the checks that it makes before it accepts a header.
///
/// Answers depend on the bytes alone, never on how they were cut into pieces: an answer that more bytes could change is
/// "unknown", unless no more bytes will come.
struct SyncLookahead<Header: SyncHeader> {
    let bytes: UnsafeRawBufferPointer
    let isFinal: Bool
    /// Whether frames have been found before.
    let hasFrames: Bool

    /// What stands where a frame should begin.
    enum Step {
        case frame(Header)
        case tag(length: Int)
        /// The end of the input, or a remainder that is shorter than a header.
        case end
        case nothing
        case unknown(needed: Int)
    }

    /// The first header of frames that can be accepted, and its place.
    struct Lock {
        var place: Int
        var header: Header
    }

    /// The bytes from `place` on; nil if there are too few of them for a header.
    func front(at place: Int) -> UnsafeRawBufferPointer? {
        guard place + Header.byteCount <= bytes.count else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[place...])
    }

    /// What stands at `place`, where a frame that follows `last` should begin.
    func step(at place: Int, after last: Header) -> Step {
        guard place < bytes.count else {
            return isFinal ? (place == bytes.count ? .end : .nothing) : .unknown(needed: place + Header.byteCount)
        }
        if let next = front(at: place).flatMap(last.next) { return .frame(next) }
        switch TagSkipper.look(UnsafeRawBufferPointer(rebasing: bytes[place...])) {
        case .tag(let length): return .tag(length: length)
        case .incomplete where !isFinal: return .unknown(needed: bytes.count + 1)
        case .incomplete, .none: break
        }
        guard place + Header.byteCount > bytes.count, bytes[place] == 0xFF else { return .nothing }
        return isFinal ? .end : .unknown(needed: place + Header.byteCount)
    }

    /// Whether enough headers of one format follow each other from `place` on, each at the place that the previous one
    /// states.
    ///
    /// Two headers are enough in the format of the frames before the damage (`known`), three in any other format. The
    /// end of the input or a tag at the right place stands in for missing headers, even after the very first frame.
    func chain(at place: Int, known: Header?) -> SyncAnswer<Header> {
        guard let front = front(at: place), let first = known?.next(front) ?? Header(front) else { return .no }
        let isKnown = known?.formatKey == first.formatKey
        let wanted = isKnown ? 2 : 3
        var header = first
        var next = place
        for found in 1..<wanted {
            next += header.length
            switch step(at: next, after: header) {
            case .frame(let following): header = following
            case .tag, .end: return found >= 2 || isKnown || !hasFrames ? .yes(first) : .no
            case .nothing: return .no
            case .unknown(let needed): return .unknown(needed: needed)
            }
        }
        return .yes(first)
    }

    /// Whether frames can be accepted because of the header at `place`: the frames that begin with it, or more credible
    /// frames that begin inside its frame.
    ///
    /// In a steady tone all frames are alike, so a false header inside one of them recurs in the next. The false header
    /// begins a chain just like the true headers.
    func lock(at place: Int, known: Header?) -> SyncAnswer<Lock> {
        var header: Header
        switch chain(at: place, known: known) {
        case .yes(let found): header = found
        case .unknown(let needed): return .unknown(needed: needed)
        case .no:
            switch Header.measure(self, at: place) {
            case .yes(let found): header = found
            case .unknown(let needed): return .unknown(needed: needed)
            case .no: return .no
            }
        }
        if let known, header.repeats(known) { return .yes(Lock(place: place, header: header)) }
        return switch truerFrames(than: header, at: place, known: known) {
        case .yes(let truer): .yes(truer)
        case .no: .yes(Lock(place: place, header: header))
        case .unknown(let needed): .unknown(needed: needed)
        }
    }

    /// The frames that begin inside the frame at `place` and are more credible than that frame.
    private func truerFrames(than header: Header, at place: Int, known: Header?) -> SyncAnswer<Lock> {
        var best = Lock(place: place, header: header)
        // Even more credible frames may begin inside the best frame found so far.
        var end: Int { best.place + best.header.length }
        var inner = nextSync(from: place + 1)
        while inner < end, front(at: inner) != nil {
            switch chain(at: inner, known: known) {
            case .yes(let found):
                let other = Lock(place: inner, header: found)
                if isTruer(other, than: best, known: known) { best = other }
            case .unknown(let needed): return .unknown(needed: max(needed, bytes.count + Self.patience))
            case .no: break
            }
            inner = nextSync(from: inner + 1)
        }
        if inner < end, !isFinal { return .unknown(needed: end + Header.byteCount) }
        return best.place == place ? .no : .yes(best)
    }

    /// Whether frames inside the frame that is due at `place` are evidence against it: frames of the known format that
    /// have exactly the header of the last frame, or that lie wholly inside the due frame.
    func speaksAgainst(due header: Header, at place: Int, known: Header) -> SyncAnswer<Void> {
        let end = place + header.length
        var inner = nextSync(from: place + 1)
        while inner < end, let front = front(at: inner) {
            if let found = known.next(front), found.repeats(known) || inner + found.length <= end {
                switch chain(at: inner, known: known) {
                case .yes: return .yes(())
                case .unknown(let needed): return .unknown(needed: needed)
                case .no: break
                }
            }
            inner = nextSync(from: inner + 1)
        }
        return inner < end && !isFinal ? .unknown(needed: end + Header.byteCount) : .no
    }

    /// Whether one header is more credible than another. In this order: the known header beats any other; a header that
    /// states the length of its frame beats a measured length; a shorter frame beats a longer one; and of equally long
    /// frames, the one whose content agrees better with its header wins.
    private func isTruer(_ one: Lock, than other: Lock, known: Header?) -> Bool {
        if let known, one.header.repeats(known) != other.header.repeats(known) {
            return !other.header.repeats(known)
        }
        if one.header.isMeasured != other.header.isMeasured { return other.header.isMeasured }
        let difference = other.header.length - one.header.length
        if abs(difference) > Self.mostPadding { return difference > 0 }
        return credence(of: one) > credence(of: other)
    }

    private func credence(of lock: Lock) -> Int {
        let end = min(lock.place + lock.header.length, bytes.count)
        return lock.header.credence(UnsafeRawBufferPointer(rebasing: bytes[lock.place..<end]))
    }

    /// Whether the frame at the front is whole, although at its end there is neither a frame nor a tag nor the end of
    /// the input.
    ///
    /// If bytes were lost from its middle, or inserted there, its apparent second half belongs to something else. So no
    /// frame may begin inside it, and the bytes after it must not be audio: a short rest of the input, bytes that stand
    /// between files, or text and zeros as long as a frame.
    func isWhole(_ header: Header) -> SyncAnswer<Void> {
        let end = header.length
        let limit = end + header.longestLength
        var next = nextSync(from: Header.byteCount)
        search: while next < limit, front(at: next) != nil {
            switch chain(at: next, known: header) {
            case .yes where next < end: return .no
            case .yes: break search
            case .unknown(let needed): return .unknown(needed: max(needed, bytes.count + Self.patience))
            case .no: next = nextSync(from: next + 1)
            }
        }
        if next < limit, front(at: next) == nil {
            return isFinal ? .yes(()) : .unknown(needed: limit + Header.byteCount)
        }
        return isFileEnd(at: end, before: min(next, limit), isNextFrame: next < limit)
    }

    /// Whether the bytes from `end` to `limit` stand between files, and not inside a damaged frame.
    ///
    /// Three kinds of bytes stand between files:
    ///
    /// - the items of an APEv1 tag, whose footer states where they begin;
    /// - line ends and zeros before a frame or a tag, after a frame that does not end in such bytes;
    /// - text as long as a frame, after a frame that does not end in text.
    private func isFileEnd(at end: Int, before limit: Int, isNextFrame: Bool) -> SyncAnswer<Void> {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[end..<limit])
        if TagSkipper.hasAPEItems(rest) { return .yes(()) }
        let frameEndsInText = bytes[..<end].suffix(4).allSatisfy { Self.isText($0) }
        if !isNextFrame, !frameEndsInText, rest.allSatisfy({ Self.isText($0) }) { return .yes(()) }
        let blanks = rest.prefix { Self.isBlank($0) }.count
        guard blanks > 0, !Self.isBlank(bytes[end - 1]) else { return .no }
        if blanks == rest.count { return .yes(()) }
        switch TagSkipper.look(UnsafeRawBufferPointer(rebasing: bytes[(end + blanks)...])) {
        case .tag: return .yes(())
        case .incomplete where !isFinal: return .unknown(needed: bytes.count + 1)
        case .incomplete, .none: return .no
        }
    }

    /// Whether a byte belongs to a line end, or is zero.
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x0A || byte == 0x0D }

    /// Whether a byte is text, a blank or zero.
    private static func isText(_ byte: UInt8) -> Bool {
        0x20...0x7E ~= byte || 0x09...0x0D ~= byte || byte == 0
    }

    /// The next place from `start` on where a header might stand; the end if there is none.
    func nextSync(from start: Int) -> Int {
        var place = start
        // Skips eight bytes at a time, as long as none of them is 0xFF.
        while place + 8 <= bytes.count {
            let inverted = ~bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if (inverted &- 0x0101_0101_0101_0101) & ~inverted & 0x8080_8080_8080_8080 != 0 { break }
            place += 8
        }
        while place < bytes.count, bytes[place] != 0xFF { place += 1 }
        return place
    }

    /// Frames of one bit rate differ in length by their padding alone, at most by this many bytes.
    static var mostPadding: Int { 4 }
    /// A search through a whole frame is not repeated for fewer new bytes than this.
    private static var patience: Int { 256 }
}
