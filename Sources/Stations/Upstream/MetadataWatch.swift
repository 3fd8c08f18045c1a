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
///
/// | | new | sound | doubtful |
/// |---|---|---|---|
/// | a well-formed block | sound | sound, no habit | sound |
/// | a garbled block | doubtful | doubtful, unless it is a habit | as it was |
/// | a foreign block, blocks were found before | over | over | over |
/// | a foreign block, none was found | doubtful | – | over at the second without any evidence |
/// | frames go on across a block's place | sound with enough evidence | sound | sound with enough evidence |
/// | they do not, and the block was odd | over if blocks were found, else doubtful | over | over if blocks were found |
/// | they do not | doubtful | doubtful | over at the second |
/// | the end, and the last block was odd | doubtful | doubtful | as it was |
struct MetadataWatch {
    enum Verdict: Hashable {
        /// Frames from here on may be wrong, or may not follow the ones before.
        case doubtful
        /// The doubtful frames were right: something else was wrong.
        case sound
        /// Blocks were found where they should be, and are not any more.
        case slipped
        /// Blocks have never been found where they should be.
        case misread
    }

    private enum Standing {
        /// Nothing proves yet that blocks are where the head said.
        case new
        case sound
        case doubtful
        /// A final verdict was given, after which nothing counts.
        case over
    }

    /// What was seen while the standing was new or doubtful.
    private struct Trial {
        /// Places that frames went on across: one for a place of an odd block, two for any other. Where blocks are
        /// looked for in the wrong places, and what is swallowed is as long as whole frames, frames go on as well.
        var evidence = 0
        /// Places that frames did not go on across.
        var broken = 0
        /// Garbled and foreign blocks.
        var unreadable = 0
    }

    private enum Event {
        case wellFormed
        /// It begins as a block does, and goes on with bytes that no text holds.
        case garbled
        /// It does not look like a block at all.
        case foreign
        case across(MetadataPlaces.Crossing)
        case broken(MetadataPlaces.Crossing)
        case endBehindOddBlock
    }

    private var standing = Standing.new
    private var trial = Trial()
    /// A block has been seen where one should be.
    private var wasFound = false
    /// Garbled blocks turned out to be the sender's own way.
    private var isHabit = false
    private var places: MetadataPlaces

    private static let enoughEvidence = 4
    private static let enoughFaults = 2

    /// - Parameter interval: Bytes of audio between blocks, at least 1.
    init(interval: Int) {
        places = MetadataPlaces(interval: interval)
    }

    /// The last block did not look as it should, and no frame has gone on across its place yet.
    var isOdd: Bool { places.isOdd }
}

// MARK: - What happens

extension MetadataWatch {
    /// A block that was not empty has come, behind this number of bytes of audio.
    mutating func block(_ block: ICYMetadata, behind offset: Int64) -> Verdict? {
        places.block(behind: offset, isOdd: block.reading != .wellFormed)
        if block.isBeginning { wasFound = true }
        return switch block.reading {
        case .wellFormed: take(.wellFormed)
        case .unreadable: take(block.isBeginning ? .garbled : .foreign)
        case .empty, .loose: nil
        }
    }

    /// Audio has come, up to a count of audio bytes.
    mutating func audio(_ bytes: UnsafeRawBufferPointer, upTo end: Int64) {
        if places.audio(bytes, upTo: end) { wasFound = true }
    }

    /// A frame is about to come out that begins at a count of audio bytes.
    mutating func frame(at start: Int64) -> Verdict? {
        places.frame(at: start).flatMap { take(.across($0)) }
    }

    /// There was no frame where one was due, and the audio up to a count of its bytes is lost.
    mutating func junk(upTo end: Int64) -> Verdict? {
        places.junk(upTo: end).flatMap { take(.broken($0)) }
    }

    /// No more audio comes, so that the last frame comes out although no header stands behind it.
    mutating func finish() -> Verdict? {
        isOdd ? take(.endBehindOddBlock) : nil
    }
}

// MARK: - What follows from it

extension MetadataWatch {
    /// The table above.
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
