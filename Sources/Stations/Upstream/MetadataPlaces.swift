// SPDX-License-Identifier: MIT

import RadioFormats

/// Where in a stream's audio metadata blocks stood, and whether frames went on across those places. A value; all
/// positions are counts of audio bytes.
struct MetadataPlaces {
    /// What happened at the places of one or more blocks.
    struct Crossing {
        /// The last block there did not look as it should.
        let isOdd: Bool
        /// Other junk came before, and no frame since.
        let followsJunk: Bool
    }

    private let interval: Int64
    /// Blocks that were read, empty ones as well: the last one stood behind this number of intervals of audio.
    private var read: Int64 = 0
    /// Blocks of whose place it is known whether frames went on across it.
    private var crossed: Int64 = 0
    /// The last block that did not look as it should.
    private var odd: Int64 = 0
    /// No frame has come since the last junk.
    private var isLost = false
    /// The first audio behind the last block.
    private var after: [UInt8] = []

    private static let beginning = 16

    init(interval: Int) {
        self.interval = Int64(interval)
    }

    /// The last block did not look as it should, and no frame has gone on across its place yet.
    var isOdd: Bool { odd > crossed }

    /// A block that was not empty stood here.
    mutating func block(behind offset: Int64, isOdd: Bool) {
        begin(behind: offset)
        if isOdd { odd = read }
    }

    /// Audio has come. Where it goes on behind an interval without a block between, the block was empty. True where the
    /// audio begins as a block does: then what was taken for the last block was none.
    mutating func audio(_ bytes: UnsafeRawBufferPointer, upTo end: Int64) -> Bool {
        let start = end - Int64(bytes.count)
        if start == (read + 1) * interval { begin(behind: start) }
        guard read > 0, after.count < Self.beginning else { return false }
        after.append(contentsOf: bytes.prefix(Self.beginning - after.count))
        guard ICYMetadata.isBeginning(after) else { return false }
        odd = read
        return true
    }

    /// A frame begins here. Returns the places before it, if frames went on across them.
    mutating func frame(at start: Int64) -> Crossing? {
        let followsJunk = isLost
        isLost = false
        guard let crossing = cross(upTo: start, followsJunk) else { return nil }
        return followsJunk ? nil : crossing
    }

    /// The audio up to here is lost. Returns the places in it, across which frames did not go on.
    mutating func junk(upTo end: Int64) -> Crossing? {
        let followsJunk = isLost
        isLost = true
        return cross(upTo: end - 1, followsJunk)
    }

    private mutating func cross(upTo place: Int64, _ followsJunk: Bool) -> Crossing? {
        guard crossed < read, (crossed + 1) * interval <= place else { return nil }
        let crossing = Crossing(isOdd: isOdd, followsJunk: followsJunk)
        crossed = min(read, place / interval)
        return crossing
    }

    private mutating func begin(behind offset: Int64) {
        read = offset / interval
        after.removeAll(keepingCapacity: true)
    }
}
