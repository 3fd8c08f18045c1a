// SPDX-License-Identifier: MIT

import RadioFormats

/// Watches whether metadata blocks are still where they are looked for. A value, one for each connection.
///
/// One wrong length byte, and all that follows is taken apart in the wrong places: audio is swallowed as metadata, or
/// metadata stays in the audio. Two things show that: what a block holds (``ICYReading``), and whether frames go on
/// across the place where it stood, for then neither too much was taken out of the audio there nor too little. One of
/// the two alone may be a sender's habit or plain damage to the audio, so it makes the connection doubtful, and the
/// next blocks decide; both at once decide by themselves, and so does a block that has nothing of metadata where there
/// was some before. Damage between blocks raises no doubt.
///
/// A frame comes out only when the header of the next one was there, so doubt is raised before any frame that lies
/// behind a wrong length: what came out until then is the programme.
struct MetadataWatch {
    enum Verdict: Hashable {
        /// Frames from here on may be wrong, or may not follow the ones before.
        case doubtful
        /// They were right: it was something else.
        case sound
        /// Blocks were found where they should be, and are not any more.
        case slipped
        /// They have never been found.
        case misread
    }

    private enum Standing {
        /// Nothing proves yet that blocks are where the head said.
        case new
        case sound
        case doubtful
        /// There was a verdict after which nothing counts.
        case over
    }

    private let interval: Int64
    private var standing = Standing.new
    /// A block has been seen where one should be.
    private var wasFound = false
    /// Blocks that were read, empty ones as well: the last one stood behind so many intervals of audio.
    private var read: Int64 = 0
    /// Blocks of whose place it is known whether frames went on across it.
    private var crossed: Int64 = 0
    /// The last block that did not look as it should.
    private var odd: Int64 = 0
    /// No frame has come since the last junk.
    private var isLost = false
    /// What speaks for the places of blocks, since nothing was sure: frames that went on across them.
    private var evidence = 0
    /// Places that frames did not go on across, since then.
    private var broken = 0
    /// Unreadable blocks since the last one that was well-formed.
    private var unreadable = 0
    /// They turned out to be the sender's own way.
    private var isHabit = false
    private var previous: [UInt8]?
    /// The first audio behind the last block.
    private var after: [UInt8] = []

    private static let enough = 2
    /// Two places with empty blocks, or four with others: where blocks are looked for in the wrong places, and what is
    /// swallowed is as long as whole frames, frames go on as well.
    private static let enoughEvidence = 4
    private static let beginning = 16

    /// - Parameter interval: Bytes of audio between blocks, at least 1.
    init(interval: Int) {
        self.interval = Int64(interval)
    }
}

// MARK: - What happens

extension MetadataWatch {
    /// A block has come that was not empty.
    mutating func block(_ block: ICYBlock) -> Verdict? {
        began(behind: block.audioOffset)
        let reading = ICYReading(of: block.bytes, after: previous)
        previous = block.bytes
        let isBlock = ICYReading.isBeginning(block.bytes)
        if isBlock { wasFound = true }
        switch reading {
        case .wellFormed:
            (unreadable, isHabit) = (0, false)
            return becomeSound()
        case .empty, .loose:
            odd = read
            return nil
        case .unreadable:
            odd = read
            unreadable += 1
            let isCertain = wasFound ? !isBlock : unreadable >= Self.enough && evidence == 0
            if isCertain { return fail() }
            return isHabit ? nil : becomeDoubtful()
        }
    }

    /// Audio has come, up to a count of audio bytes: where it goes on behind an interval without a block between, the
    /// block was empty.
    mutating func audio(_ bytes: UnsafeRawBufferPointer, upTo end: Int64) {
        let start = end - Int64(bytes.count)
        if start == (read + 1) * interval { began(behind: start) }
        guard read > 0, after.count < Self.beginning else { return }
        after.append(contentsOf: bytes.prefix(Self.beginning - after.count))
        guard ICYReading.isBeginning(after) else { return }
        wasFound = true
        odd = read
    }

    /// A frame is about to come out that begins at a count of audio bytes.
    mutating func frame(at start: Int64) -> Verdict? {
        let wasLost = isLost
        isLost = false
        guard crossed < read, nextPlace <= start else { return nil }
        let wasOdd = isOdd
        crossed = min(read, start / interval)
        guard !wasLost, standing != .sound else { return nil }
        evidence += wasOdd ? 1 : 2
        guard evidence >= Self.enoughEvidence else { return nil }
        isHabit = unreadable > 0
        return becomeSound()
    }

    /// There was no frame where one was due, and the audio up to a count of its bytes is lost.
    mutating func junk(upTo end: Int64) -> Verdict? {
        let wasLost = isLost
        isLost = true
        guard crossed < read, nextPlace < end else { return nil }
        let wasOdd = isOdd
        crossed = min(read, (end - 1) / interval)
        if wasOdd, wasFound { return fail() }
        guard standing == .doubtful else { return becomeDoubtful() }
        evidence = 0
        guard !wasLost else { return nil }
        broken += 1
        return broken >= Self.enough ? fail() : nil
    }

    /// No more audio comes, so that the last frame comes out although no header stands behind it.
    mutating func finish() -> Verdict? {
        isOdd ? becomeDoubtful() : nil
    }

    /// The last block did not look as it should, and no frame has gone on across its place yet.
    var isOdd: Bool { odd > crossed }

    /// Audio bytes ahead of the first block of which it is not known whether frames went on across its place.
    private var nextPlace: Int64 { (crossed + 1) * interval }

    private mutating func began(behind offset: Int64) {
        read = offset / interval
        after.removeAll(keepingCapacity: true)
    }
}

// MARK: - What follows from it

extension MetadataWatch {
    private mutating func becomeDoubtful() -> Verdict? {
        switch standing {
        case .new, .sound:
            standing = .doubtful
            (evidence, broken) = (0, 0)
            return .doubtful
        case .doubtful, .over:
            return nil
        }
    }

    private mutating func becomeSound() -> Verdict? {
        switch standing {
        case .new, .doubtful:
            let wasDoubtful = standing == .doubtful
            standing = .sound
            wasFound = true
            return wasDoubtful ? .sound : nil
        case .sound, .over:
            return nil
        }
    }

    private mutating func fail() -> Verdict? {
        guard standing != .over else { return nil }
        standing = .over
        return wasFound ? .slipped : .misread
    }
}
