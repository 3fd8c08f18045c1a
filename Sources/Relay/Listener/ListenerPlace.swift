// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// A listener's place in its output: a chain of spans, with a block of metadata wherever one is due.
///
/// Response head (and header pages) → slabs → the rest of a half-sent frame → comfort frames → slabs again. A value
/// without I/O: ``span(in:_:upTo:)`` returns the next bytes, and ``advance(by:)`` takes the number of bytes sent.
struct ListenerPlace {
    private(set) var cursor: RingCursor
    /// The kind of audio with which the listener began; its audio ends where another kind begins.
    let kind: AudioKind
    /// Whether only another codec ends the listener's audio. Recorders and relays read the sample rate in the frames,
    /// and may miss nothing, so they stay connected.
    private let endsByCodec: Bool
    /// Whether this listener's audio is over: another kind follows, or the end set for the listener is reached.
    private(set) var isOver = false

    /// Bytes to send before those of the ring.
    private var ahead: Ahead?
    /// Bytes to send after ``ahead``, and before the ring's bytes.
    private var afterwards: PinnedBytes?
    /// Bytes of audio between two blocks of metadata; 0 for no metadata.
    private let interval: Int32
    private var untilBlock: Int32
    private var block: PinnedBytes?
    private var blockOffset: Int32 = 0
    /// The metadata block of the last title sent.
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
            /// The response head. It does not count as audio, and metadata does not interrupt it.
            case head
            case audio
            /// Whole units of silence.
            case comfort(Comfort)
        }
    }

    /// Creates the place of a new listener. `header`: what a decoder needs before the audio at the cursor. `interval`:
    /// the number of audio bytes between blocks of metadata; nil for no metadata.
    init(
        head: PinnedBytes, header: PinnedBytes?, cursor: RingCursor, kind: AudioKind, endsByCodec: Bool = false,
        interval: Int?
    ) {
        ahead = Ahead(bytes: head, end: Int32(clamping: head.count), kind: .head)
        afterwards = header
        self.cursor = cursor
        self.kind = kind
        self.endsByCodec = endsByCodec
        self.interval = Int32(clamping: interval ?? 0)
        untilBlock = interval.map { Int32(clamping: $0) } ?? .max
    }

    /// The next contiguous bytes to send; nil if everything has been sent or the listener ``isOver``.
    ///
    /// The memory belongs to the ring or a block and is valid until either changes, that is, for this turn of the loop.
    /// `end`: where the listener's audio ends; nil if it does not end.
    mutating func span(in ring: Ring, _ titles: TitleBlocks, upTo end: RingCursor?) -> UnsafeRawBufferPointer? {
        if block == nil, untilBlock == 0 { chooseBlock(ring, titles) }
        if let block { return UnsafeRawBufferPointer(rebasing: block.bytes[Int(blockOffset)...]) }
        if let ahead {
            let rest = ahead.bytes.bytes[Int(ahead.offset)..<Int(ahead.end)]
            return UnsafeRawBufferPointer(rebasing: ahead.isAudio ? rest.prefix(Int(untilBlock)) : rest)
        }
        guard let slice = ring.bytes(at: &cursor) else { return nil }
        guard continues(in: slice.slab.format) else {
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

    /// Whether audio of this format may follow on the same connection.
    private func continues(in format: StreamFormat) -> Bool {
        endsByCodec ? format.codec == kind.codec : format.kind == kind
    }

    /// Moves the place behind `count` bytes of the span, which have been sent.
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

    /// Chooses the next block of metadata. A title counts from the first frame that starts at or after its block, so
    /// the block gets that frame's title.
    private mutating func chooseBlock(_ ring: Ring, _ titles: TitleBlocks) {
        untilBlock = interval
        let current = ring.startOfFrame(atOrAfter: cursor).flatMap { titles.block(at: $0) }
        block = current === title ? titles.unchanged : current ?? titles.unchanged
        blockOffset = 0
        title = current ?? title
    }
}

// MARK: - Moving

extension ListenerPlace {
    /// Whether everything available has been sent.
    func isCaughtUp(with ring: Ring) -> Bool {
        ahead == nil && cursor == ring.liveEdge
    }

    /// Moves to another frame, after the rest of a half-sent frame, and sends `header` before it. Returns false if the
    /// ring no longer has that rest.
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

    /// Moves to another frame, for a listener that is not inside a frame of the ring.
    mutating func begin(at other: RingCursor, _ header: PinnedBytes?) {
        cursor = other
        guard let header else { return }
        if ahead == nil { beginHeader(header) } else { afterwards = header }
    }

    /// Appends silence. Does nothing unless the listener has caught up with the ring.
    mutating func comfort(with silence: Comfort, units: Int) {
        guard ahead == nil else { return }
        let end = min(units * silence.unitBytes, silence.bytes.count)
        ahead = Ahead(bytes: silence.bytes, end: Int32(clamping: end), kind: .comfort(silence))
    }

    /// Ends the silence after the unit that is half sent, if any. Returns the duration of the silence removed.
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
    /// The byte position in the station's stream of the first frame that starts at or after the cursor.
    fileprivate func startOfFrame(atOrAfter cursor: RingCursor) -> Int64? {
        var place = cursor
        guard let slice = bytes(at: &place) else { return position.bytes }
        let slab = slice.slab
        let frame = slab.range(ofFrame: slab.frame(at: place.offset))
        return slab.position.bytes + Int64(frame.lowerBound == place.offset ? place.offset : frame.upperBound)
    }

    /// The rest of the frame that contains the cursor; nil between frames.
    fileprivate func restOfFrame(at cursor: RingCursor) -> PinnedBytes? {
        var place = cursor
        guard let slab = bytes(at: &place)?.slab else { return nil }
        let frame = slab.range(ofFrame: slab.frame(at: place.offset))
        guard frame.lowerBound < place.offset else { return nil }
        return slab.withBytes(place.offset..<frame.upperBound) { PinnedBytes($0) }
    }
}
