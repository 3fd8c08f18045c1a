// SPDX-License-Identifier: MIT

import RadioFormats

/// Where metadata blocks stood in a stream's audio, and whether frames continue across those places. A value. All
/// positions are counts of audio bytes.
struct MetadataPlaces {
    /// The places of one or more blocks for which it has just become known whether frames continue across them.
    struct Crossing {
        /// Whether the last block at these places looked wrong.
        let isOdd: Bool
        /// Whether other junk came before these places, with no frame since.
        let followsJunk: Bool
    }

    private let interval: Int64
    /// The number of blocks read, including empty ones. The last block stood after this many intervals of audio.
    private var read: Int64 = 0
    /// The number of blocks for which it is known whether frames continue across their place.
    private var crossed: Int64 = 0
    /// The number of the last block that looked wrong.
    private var odd: Int64 = 0
    /// Whether no frame has come since the last junk.
    private var isLost = false
    /// The first audio after the last block.
    private var after: [UInt8] = []

    private static let beginning = 16

    init(interval: Int) {
        self.interval = Int64(interval)
    }

    /// Whether the last block looked wrong, and no frame has continued across its place yet.
    var isOdd: Bool { odd > crossed }

    /// Takes a block that was not empty.
    mutating func block(behind offset: Int64, isOdd: Bool) {
        begin(behind: offset)
        if isOdd { odd = read }
    }

    /// Takes audio. If it continues past an interval without a block, the block was empty. Returns true if the audio
    /// begins as a block does: then the bytes read as the last block were not a block.
    mutating func audio(_ bytes: UnsafeRawBufferPointer, upTo end: Int64) -> Bool {
        let start = end - Int64(bytes.count)
        if start == (read + 1) * interval { begin(behind: start) }
        guard read > 0, after.count < Self.beginning else { return false }
        after.append(contentsOf: bytes.prefix(Self.beginning - after.count))
        guard ICYMetadata.isBeginning(after) else { return false }
        odd = read
        return true
    }

    /// Takes the start of a frame. Returns the places of blocks before the frame, if frames continue across those
    /// places.
    mutating func frame(at start: Int64) -> Crossing? {
        let followsJunk = isLost
        isLost = false
        guard let crossing = cross(upTo: start, followsJunk) else { return nil }
        return followsJunk ? nil : crossing
    }

    /// Takes that the audio up to `end` is junk. Returns the places of blocks in the junk; frames do not continue
    /// across those places.
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
