// SPDX-License-Identifier: MIT

/// The bytes that a framer holds, and the questions that it asks about them before it believes a header.
///
/// Every answer depends on the bytes alone, never on how they were cut into pieces: where more bytes could change it,
/// it is "unknown", unless no more will come.
struct MPEGLookahead {
    let bytes: UnsafeRawBufferPointer
    let isFinal: Bool
    /// Frames have been found before.
    let hasFrames: Bool

    /// What stands where a frame should begin.
    enum Step {
        case frame(MPEGFrameShape)
        case tag(length: Int)
        /// The end of the input, or less than a header in front of it.
        case end
        case nothing
        case unknown
    }

    enum Lock {
        case yes(MPEGFrameShape)
        case no
        case unknown
    }

    func word(at place: Int) -> UInt32? {
        guard place + 4 <= bytes.count else { return nil }
        return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }

    func header(at place: Int) -> MPEGFrameHeader? {
        word(at: place).flatMap(MPEGFrameHeader.init(word:))
    }

    /// What stands at `place`, where a frame like `shape` should begin.
    func step(at place: Int, after shape: MPEGFrameShape) -> Step {
        guard place < bytes.count else {
            return isFinal ? (place == bytes.count ? .end : .nothing) : .unknown
        }
        if let next = header(at: place).flatMap(shape.next) { return .frame(next) }
        switch TagSkipper.look(UnsafeRawBufferPointer(rebasing: bytes[place...])) {
        case .tag(let length): return .tag(length: length)
        case .incomplete where !isFinal: return .unknown
        case .incomplete, .none: break
        }
        guard place + 4 > bytes.count else { return .nothing }
        return isFinal ? (bytes[place] == 0xff ? .end : .nothing) : .unknown
    }

    /// Whether frames can be believed from `place` on: so many headers of one format in a row, each where the one
    /// before it says.
    ///
    /// Three are needed for a format that was not `known`; two where the frames before the damage had it. The end of
    /// the input or a tag at the right place stands for headers that are missing, after the very first frame too.
    func lock(at place: Int, known: MPEGFrameShape?) -> Lock {
        guard let header = header(at: place) else { return .no }
        let isKnown = known?.formatKey == header.formatKey
        let first: MPEGFrameShape
        if let shape = known?.next(header) ?? MPEGFrameShape(header) {
            first = shape
        } else {
            switch measureFreeFormat(header, at: place) {
            case .yes(let shape): first = shape
            case .no: return .no
            case .unknown: return .unknown
            }
        }
        let wanted = isKnown ? 2 : 3
        var shape = first
        var next = place
        for found in 1..<wanted {
            next += shape.length
            switch step(at: next, after: shape) {
            case .frame(let following): shape = following
            case .tag, .end: return found >= 2 || isKnown || !hasFrames ? .yes(first) : .no
            case .nothing: return .no
            case .unknown: return .unknown
            }
        }
        return .yes(first)
    }

    /// Where the next frame stands if the one at `place` is damaged in its header and as long as those before it.
    ///
    /// This is how a hit costs one frame, also where the audio is full of what looks like headers. Nil: not known yet;
    /// `place` itself: there is none.
    func placeAfterDamage(at place: Int, like shape: MPEGFrameShape) -> Int? {
        guard isFinal || place + shape.unpaddedLength + shape.header.slot + 4 <= bytes.count else { return nil }
        for padding in [0, shape.header.slot] {
            let next = place + shape.unpaddedLength + padding
            if let word = word(at: next), shape.isContinued(by: word) { return next }
        }
        return place
    }

    /// Whether the header at `place` is damaged and nothing else is: frames go on where it would have ended, and none
    /// begins so near to `place` that the padding of the frame before could be what is wrong. Nil: not known yet.
    func isDamageAlone(at place: Int, like shape: MPEGFrameShape) -> Bool? {
        for near in [place - shape.header.slot, place + shape.header.slot] {
            if let word = word(at: near), shape.isContinued(by: word) { return false }
        }
        return placeAfterDamage(at: place, like: shape).map { $0 > place }
    }

    /// Whether another frame, or several, of the same kind end exactly where the one at the front does, behind all the
    /// audio that its side information names.
    ///
    /// Audio that looks so by chance has 25 bits, a length and a place right.
    func holdsFrames(in frame: MPEGFrameShape, like last: MPEGFrameShape) -> Bool {
        let end = frame.length
        let audioEnd = frame.audioEnd(of: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        var start = nextSync(from: max(MPEGFrameHeader.byteCount, audioEnd))
        while start < end {
            var place = start
            for _ in 0..<Self.mostFramesInOne where place < end {
                guard let word = word(at: place), last.isLike(word),
                    let inner = MPEGFrameHeader(word: word).flatMap(last.next)
                else { break }
                place += inner.length
            }
            if place == end { return true }
            start = nextSync(from: start + 1)
        }
        return false
    }

    /// The next place from `start` on where a sync might stand; the end where there is none.
    func nextSync(from start: Int) -> Int {
        var place = start
        while place < bytes.count, bytes[place] != 0xff { place += 1 }
        return place
    }

    /// The length of a free-format frame is the distance to the next header like it, if a third one confirms it.
    private func measureFreeFormat(_ header: MPEGFrameHeader, at place: Int) -> Lock {
        guard isFinal || place + 2 * (Self.longestFreeFrame + header.slot) + 4 <= bytes.count else { return .unknown }
        let padding = header.isPadded ? header.slot : 0
        let like = header.word & ~(MPEGFrameHeader.Bits.padding | MPEGFrameHeader.Bits.modeExtension)
        let limit = min(place + Self.longestFreeFrame + padding, bytes.count)
        var next = place + max(header.mainDataOffset, 24)
        for _ in 0..<Self.freeFormatTries {
            next = nextSync(from: next)
            guard next <= limit, let word = word(at: next) else { return .no }
            let unpadded = next - place - padding
            if word & ~(MPEGFrameHeader.Bits.padding | MPEGFrameHeader.Bits.modeExtension) == like,
                unpadded % header.slot == 0,
                let first = MPEGFrameShape(header, freeLength: unpadded),
                let second = MPEGFrameHeader(word: word).flatMap(first.next)
            {
                switch step(at: next + second.length, after: second) {
                case .frame, .tag, .end: return .yes(first)
                case .nothing, .unknown: break
                }
            }
            next += 1
        }
        return .no
    }

    /// No free-format frame beyond this is believed; the standard's own limit is far below.
    private static let longestFreeFrame = 4096
    /// No damaged bit rate makes a frame as long as more than so many others.
    private static let mostFramesInOne = 40
    /// How many bytes that could be a sync are tried for the next header: hostile input must not cost quadratic time.
    private static let freeFormatTries = 256
}
