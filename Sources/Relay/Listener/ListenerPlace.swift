// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// Where a listener is in what it gets: a chain of spans, with a block of metadata wherever one is due.
///
/// Response head (and header pages) → slabs → the rest of a frame that was half sent → comfort frames → slabs again. A
/// value without I/O: ``span(in:_:upTo:)`` says what comes next, and ``advance(by:)`` how much of it has gone out.
struct ListenerPlace {
    private(set) var cursor: RingCursor
    /// What was promised; the listener ends where another codec begins.
    let codec: Codec
    /// The audio that this listener can be given is over: another codec follows, or it is at its end.
    private(set) var isOver = false

    /// What goes out ahead of the ring.
    private var ahead: Ahead?
    /// What goes out ahead of the ring after that.
    private var afterwards: PinnedBytes?
    /// Bytes of audio between two blocks; 0 for audio alone.
    private let interval: Int32
    private var untilBlock: Int32
    private var block: PinnedBytes?
    private var blockOffset: Int32 = 0
    /// The title that was sent last.
    private var title: PinnedBytes?

    private struct Ahead {
        var bytes: PinnedBytes
        var offset: Int32 = 0
        var end: Int32
        var kind: Kind

        var isAudio: Bool {
            if case .head = kind { false } else { true }
        }

        enum Kind {
            /// The response head: no audio, no metadata in it.
            case head
            case audio
            /// Whole units of silence.
            case comfort(Comfort)
        }
    }

    /// `header` is what a decoder needs before the audio at the cursor. `interval` is how many bytes of audio lie
    /// between blocks; nil for audio alone.
    init(head: PinnedBytes, header: PinnedBytes?, cursor: RingCursor, codec: Codec, interval: Int?) {
        ahead = Ahead(bytes: head, end: Int32(clamping: head.count), kind: .head)
        afterwards = header
        self.cursor = cursor
        self.codec = codec
        self.interval = Int32(clamping: interval ?? 0)
        untilBlock = interval.map { Int32(clamping: $0) } ?? .max
    }

    /// The next bytes in one piece; nil where all has been sent, or ``isOver``.
    ///
    /// The memory is the ring's or a block's: it stays for as long as neither changes, that is, for this turn.
    /// From `end` on there is nothing for this listener.
    mutating func span(in ring: Ring, _ titles: TitleBlocks, upTo end: RingCursor?) -> UnsafeRawBufferPointer? {
        if block == nil, untilBlock == 0 { chooseBlock(ring, titles) }
        if let block { return UnsafeRawBufferPointer(rebasing: block.bytes[Int(blockOffset)...]) }
        if let ahead {
            let rest = ahead.bytes.bytes[Int(ahead.offset)..<Int(ahead.end)]
            return UnsafeRawBufferPointer(rebasing: ahead.isAudio ? rest.prefix(Int(untilBlock)) : rest)
        }
        guard let slice = ring.bytes(at: &cursor) else { return nil }
        guard slice.slab.format.codec == codec else {
            isOver = true
            return nil
        }
        guard let end else {
            return slice.withBytes { UnsafeRawBufferPointer(rebasing: $0.prefix(Int(untilBlock))) }
        }
        guard cursor < end else {
            isOver = true
            return nil
        }
        let count = cursor.slab == end.slab ? min(end.offset - cursor.offset, Int(untilBlock)) : Int(untilBlock)
        return slice.withBytes { UnsafeRawBufferPointer(rebasing: $0.prefix(count)) }
    }

    /// `count` bytes of the span have gone out.
    mutating func advance(by count: Int) {
        if let block {
            blockOffset += Int32(count)
            if Int(blockOffset) == block.count { self.block = nil }
        } else if ahead != nil {
            advanceAhead(by: Int32(count))
        } else {
            cursor.offset += count
            countAudio(Int32(count))
        }
    }

    private mutating func advanceAhead(by count: Int32) {
        guard var ahead else { return }
        ahead.offset += count
        if ahead.isAudio { countAudio(count) }
        self.ahead = ahead
        guard ahead.offset == ahead.end else { return }
        self.ahead = nil
        if let next = afterwards { beginHeader(next) }
    }

    private mutating func beginHeader(_ header: PinnedBytes) {
        afterwards = nil
        ahead = Ahead(bytes: header, end: Int32(clamping: header.count), kind: .audio)
    }

    private mutating func countAudio(_ count: Int32) {
        if interval > 0 { untilBlock -= count }
    }

    /// A block's title counts from the first frame that starts at or after it, so that frame's title is the one.
    private mutating func chooseBlock(_ ring: Ring, _ titles: TitleBlocks) {
        untilBlock = interval
        let current = ring.startOfFrame(atOrAfter: cursor).flatMap { titles.block(at: $0) }
        block = current === title ? titles.unchanged : current ?? titles.unchanged
        blockOffset = 0
        title = current ?? title
    }
}

// MARK: - Other places

extension ListenerPlace {
    /// Whether all that there is has been sent.
    func isCaughtUp(with ring: Ring) -> Bool {
        ahead == nil && cursor == ring.liveEdge
    }

    /// Goes on at another frame, after the rest of the one that is half sent, with what a decoder needs there. False
    /// where that rest is gone.
    mutating func move(to other: RingCursor, header: PinnedBytes?, in ring: Ring) -> Bool {
        if ahead == nil {
            guard !ring.isOverrun(cursor) else {
                guard cursor.offset == 0 else { return false }
                begin(at: other, header)
                return true
            }
            if let rest = ring.restOfFrame(at: cursor) {
                ahead = Ahead(bytes: rest, end: Int32(clamping: rest.count), kind: .audio)
            }
        }
        begin(at: other, header)
        return true
    }

    /// The same for a listener that is not inside a frame of the ring.
    mutating func begin(at other: RingCursor, _ header: PinnedBytes?) {
        cursor = other
        guard let header else { return }
        if ahead == nil { beginHeader(header) } else { afterwards = header }
    }

    /// Adds silence; only for a listener that has caught up with the ring.
    mutating func comfort(with silence: Comfort, units: Int) {
        guard ahead == nil else { return }
        let end = min(units * silence.unitBytes, silence.bytes.count)
        ahead = Ahead(bytes: silence.bytes, end: Int32(clamping: end), kind: .comfort(silence))
    }

    /// The silence is over: of what was not sent yet only the unit under way is left. Returns how much shorter it
    /// has become.
    mutating func endComfort() -> Duration {
        guard var ahead, case .comfort(let silence) = ahead.kind else { return .zero }
        let unit = silence.unitBytes
        let end = (Int(ahead.offset) + unit - 1) / unit * unit
        let saved = (Int(ahead.end) - end) / unit
        ahead.end = Int32(clamping: end)
        self.ahead = ahead.offset == ahead.end ? nil : ahead
        return silence.unitDuration * saved
    }
}

extension Ring {
    /// The station's byte at which the first frame starts that does not begin before the cursor.
    fileprivate func startOfFrame(atOrAfter cursor: RingCursor) -> Int64? {
        var place = cursor
        guard let slice = bytes(at: &place) else { return position.bytes }
        let slab = slice.slab
        let frame = slab.range(ofFrame: slab.frame(at: place.offset))
        return slab.position.bytes + Int64(frame.lowerBound == place.offset ? place.offset : frame.upperBound)
    }

    /// What is left of the frame that the cursor is inside of; nil between frames.
    fileprivate func restOfFrame(at cursor: RingCursor) -> PinnedBytes? {
        var place = cursor
        guard let slab = bytes(at: &place)?.slab else { return nil }
        let frame = slab.range(ofFrame: slab.frame(at: place.offset))
        guard frame.lowerBound < place.offset else { return nil }
        return slab.withBytes(place.offset..<frame.upperBound) { PinnedBytes($0) }
    }
}
