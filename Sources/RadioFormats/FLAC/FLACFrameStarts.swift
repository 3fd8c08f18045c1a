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

    private var starts: [Start] = []

    /// The offset of the first start.
    var first: Int64? { starts.first?.offset }

    /// The first offset at which the frame at the first start can no longer end: it would be too long.
    var expiry: Int64? { starts.first?.expiry }

    mutating func add(_ header: FLACFrameHeader, at offset: Int64, _ mark: UInt16, longest: Int) {
        if starts.count == Self.most { starts.remove(at: 1) }
        starts.append(Start(header: header, offset: offset, mark: mark, expiry: offset + Int64(longest) + 1))
    }

    /// Returns the first frame that can end at `end`, where the checksum has this mark, and forgets all starts; nil if
    /// there is no such frame.
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
    /// The size limit in bytes for a frame with this many samples: an encoder writes samples verbatim if nothing else
    /// is shorter. The side channel (the difference of two channels) has one bit more per sample.
    func longestFrame(_ samples: Int) -> Int {
        min(FLACFrameHeader.longest + channels * (8 + samples * (bitsPerSample + 1) / 8) + 2, 1 << 20)
    }
}
