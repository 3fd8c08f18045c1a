// SPDX-License-Identifier: MIT

/// The bytes that a framer holds, and what it asks about them before it believes a header.
///
/// Answers depend on the bytes alone, never on how they were cut into pieces: where more bytes could change one it is
/// "unknown", unless no more will come.
struct ADTSLookahead {
    let bytes: UnsafeRawBufferPointer
    let isFinal: Bool

    /// What stands where a frame should begin.
    enum Step {
        case frame(ADTSHeader)
        case tag(length: Int)
        /// The end of the input, or less than a header in front of it.
        case end
        case nothing
        case unknown
    }

    enum Answer {
        case yes
        case no
        case unknown
    }

    func header(at place: Int) -> ADTSHeader? {
        guard place + ADTSHeader.length <= bytes.count else { return nil }
        return ADTSHeader(UnsafeRawBufferPointer(rebasing: bytes[place...]))
    }

    func step(at place: Int) -> Step {
        guard place < bytes.count else {
            return isFinal ? (place == bytes.count ? .end : .nothing) : .unknown
        }
        if let header = header(at: place) { return .frame(header) }
        switch TagSkipper.look(UnsafeRawBufferPointer(rebasing: bytes[place...])) {
        case .tag(let length): return .tag(length: length)
        case .incomplete where !isFinal: return .unknown
        case .incomplete, .none: break
        }
        guard place + ADTSHeader.length > bytes.count, bytes[place] == 0xFF else { return .nothing }
        return isFinal ? .end : .unknown
    }

    /// Whether frames can be believed from the header at `place` on: three equal ones in a row, each where the one
    /// before it says, or two that are like those before the damage (`known`). The end of the input or a tag at the
    /// right place stands for the headers that are missing.
    func isLock(at place: Int, _ header: ADTSHeader, known: ADTSHeader?) -> Answer {
        let isKnown = header.fixed == known?.fixed
        let wanted = isKnown ? 2 : 3
        var place = place
        var header = header
        for found in 1..<wanted {
            place += header.frameLength
            switch step(at: place) {
            case .frame(let next):
                guard next.fixed == header.fixed else { return .no }
                header = next
            case .tag, .end: return found >= 2 || known == nil || isKnown ? .yes : .no
            case .nothing: return .no
            case .unknown: return .unknown
            }
        }
        return .yes
    }

    /// Whether something that may follow a frame like `header` stands at its `end`. A header of another kind may be a
    /// damaged one, or the first of a new format; it counts where the frame ends like one.
    func isConfirmed(_ header: ADTSHeader, at end: Int) -> Answer {
        switch step(at: end) {
        case .frame(let next):
            next.fixed == header.fixed || endsLikeAFrame(at: end) ? .yes : isLock(at: end, next, known: header)
        case .tag, .end: .yes
        case .nothing: .no
        case .unknown: .unknown
        }
    }

    /// Whether the frame that ends at `end` ends the way frames do: three ones (the element that says "end"), then
    /// fewer than eight zeros up to a whole byte. Of other bytes a quarter look so too.
    func endsLikeAFrame(at end: Int) -> Bool {
        let tail = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: end - 2, as: UInt16.self))
        let padding = tail.trailingZeroBitCount
        return padding < 8 && tail >> padding & 7 == 7
    }

    /// Whether another frame, or several, of the same kind end exactly where the one at the front does.
    ///
    /// Audio that looks so by chance has 28 bits and a length right: that does not happen in a hundred years.
    func holdsFrames(like header: ADTSHeader, upTo end: Int) -> Bool {
        var start = nextSync(from: ADTSHeader.length)
        while start + ADTSHeader.length < end {
            var place = start
            for _ in 0..<Self.mostFramesInOne where place < end {
                guard let inner = self.header(at: place), inner.fixed == header.fixed else { break }
                place += inner.frameLength
            }
            if place == end { return true }
            start = nextSync(from: start + 1)
        }
        return false
    }

    /// The next place from `start` on where a header might stand; the end where there is none.
    func nextSync(from start: Int) -> Int {
        var place = start
        while place < bytes.count, bytes[place] != 0xFF { place += 1 }
        return place
    }

    /// A damaged length that reaches over more frames than these is not looked for.
    private static let mostFramesInOne = 16
}
