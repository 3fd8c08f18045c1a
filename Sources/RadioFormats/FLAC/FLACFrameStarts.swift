// SPDX-License-Identifier: MIT

/// Places where frames may have begun that have not ended yet. The first of them is the frame that is due.
///
/// There are few at most: in a sane stream, a false header inside a frame comes less than once in sixteen million
/// bytes. If there are too many, the due frame and the newest ones are kept.
struct FLACFrameStarts {
    private struct Start {
        var header: FLACFrameHeader
        var offset: Int64
        /// The mark of the checksum before the frame.
        var mark: UInt16
        var expiry: Int64
    }

    private var starts: [Start] = []

    /// The offset of the first place.
    var first: Int64? { starts.first?.offset }

    /// The first offset at which the frame that begins at the first place cannot end any more.
    var expiry: Int64? { starts.first?.expiry }

    mutating func add(_ header: FLACFrameHeader, at offset: Int64, _ mark: UInt16, longest: Int) {
        if starts.count == Self.most { starts.remove(at: 1) }
        starts.append(Start(header: header, offset: offset, mark: mark, expiry: offset + Int64(longest) + 1))
    }

    /// The first frame that can end at `end`, where the checksum has this mark; nil if there is none. If there is one,
    /// all places are forgotten.
    mutating func take(endingAt end: Int64, _ mark: UInt16) -> (header: FLACFrameHeader, offset: Int64)? {
        guard let start = starts.first(where: { $0.mark == mark && end < $0.expiry && end - $0.offset >= Self.least })
        else { return nil }
        starts.removeAll(keepingCapacity: true)
        return (start.header, start.offset)
    }

    mutating func dropFirst() { starts.removeFirst() }
    mutating func removeAll() { starts.removeAll(keepingCapacity: true) }

    private static let most = 32
    /// The size of the shortest frame in bytes: a header, one value in one channel, and the checksum.
    private static let least = 10
}

extension FLACStreamInfo {
    /// The most bytes of a frame with this many samples: an encoder writes samples verbatim if nothing else is shorter.
    /// The difference of two channels has one bit more.
    func longestFrame(_ samples: Int) -> Int {
        min(FLACFrameHeader.longest + channels * (8 + samples * (bitsPerSample + 1) / 8) + 2, 1 << 20)
    }
}
