// SPDX-License-Identifier: MIT

/// Possible starts of frames whose end has not been found yet. The first one belongs to the frame that is due.
///
/// There are rarely more than a few: in an undamaged stream, a false header inside a frame occurs less than once in
/// sixteen million bytes. If there are too many, the due frame and the newest starts are kept.
struct FLACFrameStarts {
    private struct Start {
        var header: FLACFrameHeader
        var offset: Int64
        /// ``FLACFrameChecksum/mark`` in front of the frame.
        var mark: UInt16
        var expiry: Int64
    }

    /// A frame whose checksum is right.
    struct Found {
        var header: FLACFrameHeader
        var offset: Int64
        var end: Int64
    }

    private var starts: [Start] = []
    /// The last frame whose end is not certain.
    private var waiting: Found?

    /// The offset of the first start.
    var first: Int64? { starts.first?.offset }

    /// The first offset at which the frame at the first start can no longer end: it would be too long.
    var expiry: Int64? { starts.first?.expiry }

    mutating func add(_ header: FLACFrameHeader, at offset: Int64, _ mark: UInt16, longest: Int) {
        if starts.count == Self.most { starts.remove(at: 1) }
        starts.append(Start(header: header, offset: offset, mark: mark, expiry: offset + Int64(longest) + 1))
    }

    /// Returns the frames that have been found once the checksum has this mark at `end`, in order.
    ///
    /// If the end `isCertain`, the frame that ends there is returned at once. Otherwise the frame waits for the next
    /// one: it is returned with a frame behind it, and dropped if it proves to be a part of a longer frame.
    mutating func take(endingAt end: Int64, _ mark: UInt16, isCertain: Bool) -> [Found] {
        guard let start = starts.first(where: { $0.mark == mark && end < $0.expiry && end - $0.offset >= Self.least })
        else { return [] }
        let found = Found(header: start.header, offset: start.offset, end: end)
        let earlier = takeWaiting(before: start.offset)
        waiting = isCertain ? nil : found
        if isCertain { removeAll() }
        return [earlier, isCertain ? found : nil].compactMap(\.self)
    }

    /// Returns the frame that waits, if it ends at `offset` at the latest, and forgets the starts inside it.
    mutating func takeWaiting(before offset: Int64 = .max) -> Found? {
        guard let waiting, waiting.end <= offset else { return nil }
        self.waiting = nil
        starts.removeAll { $0.offset < waiting.end }
        return waiting
    }

    /// Gives up the first start; returns the frame that waits, because no longer frame contains it.
    mutating func dropFirst() -> Found? {
        starts.removeFirst()
        return takeWaiting()
    }

    mutating func removeAll() { starts.removeAll(keepingCapacity: true) }

    private static let most = 32
    /// The size of the shortest frame in bytes: a header, one value in one channel, and the checksum.
    private static let least = 10
}

extension FLACStreamInfo {
    /// The size limit in bytes for a frame with this many samples: an encoder writes samples verbatim if nothing else
    /// is shorter. The side channel (the difference of two channels) has one bit more per sample.
    func longestFrame(_ samples: Int) -> Int {
        min(FLACFrameHeader.longest + channels * (8 + samples * (bitsPerSample + 1) / 8) + 2, 1 << 20)
    }
}
