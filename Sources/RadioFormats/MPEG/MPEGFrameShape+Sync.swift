// SPDX-License-Identifier: MIT

// Specific to MPEG audio: frames that do not state their length, and frames that all have one length.
extension MPEGFrameShape {
    /// Measures a free-format frame: its length is the distance to the next header of the same kind, if a third header
    /// confirms this length.
    static func measure(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Self> {
        guard let header = header(ahead, at: place), header.isFreeFormat else { return .no }
        let padding = header.isPadded ? header.slot : 0
        let limit = place + longestFreeFrame + padding
        let needed = place + 2 * (longestFreeFrame + header.slot) + byteCount
        guard ahead.isFinal || needed <= ahead.bytes.count else { return .unknown(needed: needed) }
        var next = place + max(header.mainDataOffset, shortestFreeFrame)
        var tries = 0
        while tries < freeFormatTries {
            next = ahead.nextSync(from: next)
            guard next <= limit, let front = ahead.front(at: next) else { return .no }
            if let other = MPEGFrameHeader(word: word(front, at: 0)), other.isFreeFormat {
                tries += 1
                let length = next - place - padding
                if other.isOfOneStream(with: header), length % header.slot == 0,
                    let first = MPEGFrameShape(header, freeLength: length), let second = first.next(front)
                {
                    switch ahead.step(at: next + second.length, after: second) {
                    case .frame, .tag, .end: return .yes(first)
                    case .unknown(let needed): return .unknown(needed: needed)
                    case .nothing: break
                    }
                }
            }
            next += 1
        }
        return .no
    }

    /// Finds the next frame at the place where the damaged frame would end if it were whole. So a damaged frame costs
    /// only itself, even if the audio is full of bytes that look like headers.
    func placeAfterDamage(_ ahead: SyncLookahead<Self>, at place: Int) -> SyncAnswer<Int> {
        let needed = place + unpaddedLength + header.slot + Self.byteCount
        guard ahead.isFinal || needed <= ahead.bytes.count else { return .unknown(needed: needed) }
        // A single byte, such as a line end, may stand between two files. Then nothing is damaged, and frames continue
        // after that byte.
        if isContinued(in: ahead, at: place + header.slot) { return .no }
        for padding in [0, header.slot] {
            let next = place + unpaddedLength + padding
            if isContinued(in: ahead, at: next) { return .yes(next) }
        }
        return .no
    }

    /// Whether this frame is whole and only the next header is damaged. Frames must continue where the next frame would
    /// end. No frame may begin so near to the end of this frame that this frame's padding could be wrong instead.
    func isWholeBeforeDamage(_ ahead: SyncLookahead<Self>, after last: Self) -> SyncAnswer<Void> {
        guard repeats(last) else { return .no }
        let end = length
        if isContinued(in: ahead, at: end - header.slot) || isContinued(in: ahead, at: end + header.slot) { return .no }
        return switch placeAfterDamage(ahead, at: end) {
        case .yes: .yes(())
        case .no: .no
        case .unknown(let needed): .unknown(needed: needed)
        }
    }

    private func isContinued(in ahead: SyncLookahead<Self>, at place: Int) -> Bool {
        Self.header(ahead, at: place).map { isContinued(by: $0.word) } ?? false
    }

    private static func header(_ ahead: SyncLookahead<Self>, at place: Int) -> MPEGFrameHeader? {
        ahead.front(at: place).flatMap { MPEGFrameHeader(word: word($0, at: 0)) }
    }

    /// Longer free-format frames are rejected; the standard's own limit is far below.
    private static var longestFreeFrame: Int { 4096 }
    private static var shortestFreeFrame: Int { 24 }
    /// The maximum number of free-format headers tried: hostile input must not cost quadratic time. Audio hardly ever
    /// contains a second such header by chance.
    private static var freeFormatTries: Int { 16 }
}

extension MPEGFrameHeader {
    /// Whether two free-format headers may belong to one stream: only padding, stereo and joint stereo may change.
    fileprivate func isOfOneStream(with other: MPEGFrameHeader) -> Bool {
        formatKey == other.formatKey && (word ^ other.word) & ~(Bits.padding | Bits.mode | Bits.modeExtension) == 0
    }
}
