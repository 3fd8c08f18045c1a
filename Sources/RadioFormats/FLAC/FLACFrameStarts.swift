// SPDX-License-Identifier: MIT

/// Places where frames may have begun that have not ended yet, the first of which is the one that is due.
///
/// A few at most: in a sane stream a header inside a frame is rarer than one in sixteen million bytes. Where there are
/// more, what was due is kept, and the newest.
struct FLACFrameStarts {
    private struct Start {
        var header: FLACFrameHeader
        var offset: Int64
        /// That of the checksum in front of it.
        var mark: UInt16
        var expiry: Int64
    }

    private var starts: [Start] = []

    /// Where the first of them begins.
    var first: Int64? { starts.first?.offset }

    /// The first place at which a frame that begins there cannot end any more.
    var expiry: Int64? { starts.first?.expiry }

    mutating func add(_ header: FLACFrameHeader, at offset: Int64, _ mark: UInt16, longest: Int) {
        if starts.count == Self.most { starts.remove(at: 1) }
        starts.append(Start(header: header, offset: offset, mark: mark, expiry: offset + Int64(longest) + 1))
    }

    /// The first frame that ends at a place where the checksum has this mark. It and those that may have begun inside
    /// of it are forgotten.
    mutating func take(endingAt end: Int64, _ mark: UInt16) -> (header: FLACFrameHeader, offset: Int64)? {
        guard let start = starts.first(where: { $0.mark == mark && end < $0.expiry && end - $0.offset >= Self.least })
        else { return nil }
        starts.removeAll(keepingCapacity: true)
        return (start.header, start.offset)
    }

    mutating func dropFirst() { starts.removeFirst() }
    mutating func removeAll() { starts.removeAll(keepingCapacity: true) }

    private static let most = 32
    /// Bytes of the shortest frame: a header, one value in one channel, and the checksum.
    private static let least = 10
}

extension FLACStreamInfo {
    /// The most bytes that a frame of so many samples has: an encoder writes samples as they are where nothing else is
    /// shorter. The difference of two channels has one bit more.
    func longestFrame(_ samples: Int) -> Int {
        min(FLACFrameHeader.longest + channels * (8 + samples * (bitsPerSample + 1) / 8) + 2, 1 << 20)
    }
}
