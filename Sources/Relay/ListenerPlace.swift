// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Where a listener is in what it gets: response head → audio, with a block of metadata wherever one is due.
///
/// A value without I/O. ``span(in:_:)`` says what comes next, and ``advance(by:)`` that so much of it has gone out.
struct ListenerPlace {
    private(set) var cursor: RingCursor
    /// The format that was promised; the listener ends where it does.
    let format: StreamFormat
    /// The audio that this listener can be given is over: another format follows.
    private(set) var isOver = false

    /// What goes out ahead of the ring: the response head, or what is left of a frame that was half sent.
    private var ahead: Ahead?
    private let interval: Int?
    private var untilBlock: Int
    private var block: PinnedBytes?
    private var blockOffset = 0
    /// The title that was sent last.
    private var title: PinnedBytes?

    private struct Ahead {
        var bytes: PinnedBytes
        var offset = 0
        var isAudio: Bool
    }

    /// `interval` is how many bytes of audio lie between blocks; nil for audio alone.
    init(head: [UInt8], cursor: RingCursor, format: StreamFormat, interval: Int?) {
        ahead = Ahead(bytes: PinnedBytes(head), isAudio: false)
        self.cursor = cursor
        self.format = format
        self.interval = interval
        untilBlock = interval ?? .max
    }

    /// The next bytes in one piece; nil where all has been sent, or ``isOver``.
    ///
    /// The memory is the ring's or a block's: it stays for as long as neither changes, that is, for this turn.
    mutating func span(in ring: Ring, _ titles: TitleTimeline) -> UnsafeRawBufferPointer? {
        if block == nil, untilBlock == 0 { chooseBlock(ring, titles) }
        if let block { return UnsafeRawBufferPointer(rebasing: block.bytes[blockOffset...]) }
        if let ahead {
            let rest = ahead.bytes.bytes[ahead.offset...]
            return UnsafeRawBufferPointer(rebasing: ahead.isAudio ? rest.prefix(untilBlock) : rest)
        }
        guard let slice = ring.bytes(at: &cursor) else { return nil }
        guard slice.slab.format == format else {
            isOver = true
            return nil
        }
        return slice.withBytes { UnsafeRawBufferPointer(rebasing: $0.prefix(untilBlock)) }
    }

    /// So many bytes of the span have gone out.
    mutating func advance(by count: Int) {
        if let block {
            blockOffset += count
            if blockOffset == block.bytes.count { self.block = nil }
        } else if var ahead {
            ahead.offset += count
            self.ahead = ahead.offset == ahead.bytes.bytes.count ? nil : ahead
            if ahead.isAudio { countAudio(count) }
        } else {
            cursor.offset += count
            countAudio(count)
        }
    }

    /// Goes on at a newer frame, after the rest of the one that is half sent. False where that rest is gone.
    mutating func skip(to newer: RingCursor, in ring: Ring) -> Bool {
        guard ahead == nil else {
            // Still at a head or at a rest: nothing of the ring has been begun.
            cursor = newer
            return true
        }
        guard !ring.isOverrun(cursor) else { return cursor.offset == 0 ? move(to: newer) : false }
        if let slice = ring.bytes(at: &cursor) {
            let frame = slice.slab.range(ofFrame: slice.slab.frame(at: cursor.offset))
            if frame.lowerBound < cursor.offset {
                let rest = slice.slab.withBytes(cursor.offset..<frame.upperBound) { PinnedBytes($0) }
                ahead = Ahead(bytes: rest, isAudio: true)
            }
        }
        return move(to: newer)
    }

    private mutating func move(to newer: RingCursor) -> Bool {
        cursor = newer
        return true
    }

    private mutating func countAudio(_ count: Int) {
        if interval != nil { untilBlock -= count }
    }

    /// A block's title counts from the first frame that starts at or after it, so that frame's title is the one.
    private mutating func chooseBlock(_ ring: Ring, _ titles: TitleTimeline) {
        guard let interval else { return }
        untilBlock = interval
        let current = ring.startOfFrame(atOrAfter: cursor).flatMap { titles.block(at: $0) }
        block = current === title ? titles.unchanged : current ?? titles.unchanged
        blockOffset = 0
        title = current ?? title
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
}
