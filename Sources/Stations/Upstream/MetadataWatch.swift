// SPDX-License-Identifier: MIT

import RadioFormats

/// Watches whether metadata blocks are still where they are expected. A value, one per connection.
///
/// One wrong length byte misplaces everything after it: audio is swallowed as metadata, or metadata stays in the audio.
/// Two things reveal that: the content of a block (``ICYReading``), and whether frames continue across its place, which
/// they do only if neither too much nor too little was removed there. Either alone may be a sender's habit or plain
/// damage to the audio, so it makes the connection doubtful, and the next blocks decide. Both at once are conclusive. A
/// block without any sign of metadata is also conclusive if metadata was found before. Damage between blocks raises no
/// doubt.
///
/// A frame is emitted only after the header of the next one, so doubt is raised before any frame behind a wrong length:
/// everything emitted before it is the programme.
///
/// | | new | sound | doubtful |
/// |---|---|---|---|
/// | a well-formed block | sound | sound, no habit | sound |
/// | a garbled block | doubtful | doubtful, unless it is a habit | as before |
/// | a foreign block, blocks were found before | over | over | over |
/// | a foreign block, none was found | doubtful | – | over at the second without any evidence |
/// | frames continue across a block's place | sound with enough evidence | sound | sound with enough evidence |
/// | frames do not, at an odd block | over if blocks were found, else doubtful | over | over if blocks were found |
/// | frames do not, at any other block | doubtful | doubtful | over at the second |
/// | the end, after an odd block | doubtful | doubtful | as before |
struct MetadataWatch {
    enum Verdict: Hashable {
        /// Frames from here on may be damaged or not consecutive.
        case doubtful
        /// The doubtful frames were sound: something else was wrong.
        case sound
        /// Blocks were found in their places, but no longer are.
        case slipped
        /// Blocks have never been found in their places.
        case misread
    }

    private enum Standing {
        /// Nothing proves yet that blocks are where the head says.
        case new
        case sound
        case doubtful
        /// A final verdict has been given; further events are ignored.
        case over
    }

    /// Observations while the standing is new or doubtful.
    private struct Trial {
        /// Counts the places of blocks across which frames continue: the place of an odd block counts one, any other
        /// place counts two. Frames also continue if blocks are looked for in wrong places and the swallowed bytes are
        /// as long as whole frames.
        var evidence = 0
        /// The number of places across which frames do not continue.
        var broken = 0
        /// The number of garbled and foreign blocks.
        var unreadable = 0
    }

    private enum Event {
        case wellFormed
        /// The bytes begin as a block does, but continue with bytes that no text contains.
        case garbled
        /// The bytes do not look like a block at all.
        case foreign
        case across(MetadataPlaces.Crossing)
        case broken(MetadataPlaces.Crossing)
        case endBehindOddBlock
    }

    private var standing = Standing.new
    private var trial = Trial()
    /// Whether a block has been seen in its place.
    private var wasFound = false
    /// Whether garbled blocks have turned out to be the sender's habit.
    private var isHabit = false
    private var places: MetadataPlaces

    private static let enoughEvidence = 4
    private static let enoughFaults = 2

    /// - Parameter interval: The number of audio bytes between blocks, at least 1.
    init(interval: Int) {
        places = MetadataPlaces(interval: interval)
    }

    /// Whether the last block looked wrong, and no frame has continued across its place yet.
    var isOdd: Bool { places.isOdd }
}

// MARK: - Events

extension MetadataWatch {
    /// Takes a block that is not empty, after `offset` bytes of audio.
    mutating func block(_ block: ICYMetadata, behind offset: Int64) -> Verdict? {
        places.block(behind: offset, isOdd: block.reading != .wellFormed)
        if block.isBeginning { wasFound = true }
        return switch block.reading {
        case .wellFormed: take(.wellFormed)
        case .unreadable: take(block.isBeginning ? .garbled : .foreign)
        case .empty, .loose: nil
        }
    }

    /// Takes audio up to `end`, a count of audio bytes.
    mutating func audio(_ bytes: UnsafeRawBufferPointer, upTo end: Int64) {
        if places.audio(bytes, upTo: end) { wasFound = true }
    }

    /// Takes that the frame at `start`, a count of audio bytes, is about to be emitted.
    mutating func frame(at start: Int64) -> Verdict? {
        places.frame(at: start).flatMap { take(.across($0)) }
    }

    /// Takes that a frame was due but missing, and the audio up to `end`, a count of audio bytes, is lost.
    mutating func junk(upTo end: Int64) -> Verdict? {
        places.junk(upTo: end).flatMap { take(.broken($0)) }
    }

    /// Takes the end of the audio, at which the last frame is emitted although no header follows it.
    mutating func finish() -> Verdict? {
        isOdd ? take(.endBehindOddBlock) : nil
    }
}

// MARK: - Transitions

extension MetadataWatch {
    /// Implements the table in the comment of ``MetadataWatch``.
    private mutating func take(_ event: Event) -> Verdict? {
        switch (standing, event) {
        case (.over, _):
            return nil
        case (_, .wellFormed):
            return becomeSound(isHabit: false)
        case (_, .foreign) where wasFound:
            return fail()
        case (_, .broken(let place)) where place.isOdd && wasFound:
            return fail()
        case (.sound, .across), (.doubtful, .endBehindOddBlock):
            return nil
        case (.sound, .garbled) where isHabit:
            return nil
        case (.new, .across(let place)), (.doubtful, .across(let place)):
            trial.evidence += place.isOdd ? 1 : 2
            return trial.evidence >= Self.enoughEvidence ? becomeSound(isHabit: trial.unreadable > 0) : nil
        case (.new, _), (.sound, _):
            return becomeDoubtful(because: event)
        case (.doubtful, .garbled):
            trial.unreadable += 1
            return nil
        case (.doubtful, .foreign):
            trial.unreadable += 1
            return trial.unreadable >= Self.enoughFaults && trial.evidence == 0 ? fail() : nil
        case (.doubtful, .broken(let place)):
            trial.evidence = 0
            if !place.followsJunk { trial.broken += 1 }
            return trial.broken >= Self.enoughFaults ? fail() : nil
        }
    }

    private mutating func becomeDoubtful(because event: Event) -> Verdict {
        standing = .doubtful
        trial = Trial()
        switch event {
        case .garbled, .foreign: trial.unreadable = 1
        case .wellFormed, .across, .broken, .endBehindOddBlock: trial.unreadable = isHabit ? 1 : 0
        }
        return .doubtful
    }

    private mutating func becomeSound(isHabit: Bool) -> Verdict? {
        let wasDoubtful = standing == .doubtful
        (standing, wasFound, self.isHabit) = (.sound, true, isHabit)
        return wasDoubtful ? .sound : nil
    }

    private mutating func fail() -> Verdict {
        standing = .over
        return wasFound ? .slipped : .misread
    }
}
