// SPDX-License-Identifier: MIT

/// Frames the packets of the first audio stream in Ogg: Vorbis, Opus or FLAC (RFC 3533).
///
/// A physical stream is a chain of links; each begins with pages that are marked so, one for each logical stream in it.
/// The first of those whose codec is known and whose data comes is framed, the others are skipped as `container`. What
/// comes before the first such page cannot be decoded and is skipped.
///
/// A link with an equal ``StreamFormat`` just goes on, whether or not the link before it was ended properly. Where
/// pages or packets are lost, and where granule positions say that they are, audio is missing (``OggContinuity``).
/// ``Frame/samples`` are what a decoder gives out that is fed all frames of one format in one go, without what the
/// granule positions of a link's first and last page cut off.
///
/// For the beginning of a new link the end-of-stream flag is not looked at: encoders forget it, and others set it on
/// every page.
package struct OggFramer: Framer {
    private enum Stage {
        /// No stream is chosen, or its headers are of no use.
        case none
        /// Header packets of the chosen stream come.
        case headers(any OggMapping)
        case audio
    }

    /// What is known of the place before the next frame.
    private enum Breach: Int {
        case none
        /// It does not follow the frame before it.
        case disorder
        /// Something was lost before it.
        case loss
    }

    private var scanner = OggPageScanner()
    private var choice = OggStreamChoice()
    private var packets = OggPacketReader()
    private var stage = Stage.none
    private var continuity = OggContinuity()
    private var breach = Breach.none
    /// The page number that is due.
    private var nextSequence: UInt32 = 0
    /// Something was lost since the last page of the chosen stream.
    private var sawDamage = false

    private var format: StreamFormat?
    private var mapping: (any OggMapping)?
    private var title = ""
    private var hasFrames = false
    private var isFinished = false
    /// Events to give out, at most a page's worth, and how many of them were given out.
    private var events: [FramerEvent] = []
    private var eventsSaid = 0

    package init() {}

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        packets.forgetRead()
        scanner.append(bytes)
    }

    package mutating func finish() {
        isFinished = true
        scanner.finish()
    }

    package func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        packets.withBytes(frame.range, body)
    }

    package mutating func next() -> FramerEvent? {
        while true {
            if let event = nextSaid() { return event }
            switch scanner.next() {
            case .page(let page, let range, let offset):
                take(page, range, offset)
            case .skipped(let count, let reason):
                sawDamage = true
                return .skipped(bytes: count, reason)
            case nil:
                guard isFinished, packets.isOpen else { return nil }
                dropPacket(.truncated)
            }
        }
    }

    private mutating func nextSaid() -> FramerEvent? {
        guard eventsSaid < events.count else { return nil }
        defer {
            eventsSaid += 1
            if eventsSaid == events.count {
                events.removeAll(keepingCapacity: true)
                eventsSaid = 0
            }
        }
        return events[eventsSaid]
    }

    private mutating func note(_ breach: Breach) {
        if breach.rawValue > self.breach.rawValue { self.breach = breach }
    }
}

// MARK: - Pages

extension OggFramer {
    private mutating func take(_ page: OggPage, _ range: Range<Int>, _ offset: Int64) {
        if page.isBegin {
            begin(page, range)
        } else if isOurs(page) {
            events.append(.skipped(bytes: page.headerLength, .container))
            checkOrder(of: page)
            scanner.withBytes(range) { packets.take(page, $0, at: offset) }
            return readPackets(of: page)
        }
        events.append(.skipped(bytes: page.length, .container))
    }

    /// A logical stream begins: one more of this link, or the first of a new one.
    private mutating func begin(_ page: OggPage, _ range: Range<Int>) {
        let identification = scanner.withBytes(range) { page.firstPacket(in: $0) }
        guard choice.begin(page, oggMapping(identification: identification[...])) else { return }
        if packets.isOpen || sawDamage { note(.disorder) }
        dropPacket(.damaged)
        stage = .none
        continuity = OggContinuity()
    }

    private mutating func isOurs(_ page: OggPage) -> Bool {
        switch choice.place(page) {
        case .chosen(let mapping, let sequence):
            nextSequence = sequence &+ 1
            sawDamage = false
            stage = .headers(mapping)
            return true
        case .ours:
            return true
        case .other:
            return false
        case .stranger:
            note(.loss)
            return false
        }
    }

    /// Sees to it that a packet is only continued by the very next page. That such a page is not marked does not
    /// matter: some muxers forget it, and players do not look.
    private mutating func checkOrder(of page: OggPage) {
        let isDue = page.sequence == nextSequence
        let isBehind = page.sequence &- nextSequence >= 1 << 31
        nextSequence = page.sequence &+ 1
        sawDamage = false
        if isDue, packets.isOpen || !page.isContinued { return }
        if isBehind { note(.disorder) } else { noteLoss() }
        dropPacket(.damaged)
        continuity.joined()
        forgetHeaders()
    }

    /// A client that joins gets the header pages of a link first, and then the present page: nothing is lost in
    /// between.
    private mutating func noteLoss() {
        note(continuity.isEmpty ? .disorder : .loss)
    }

    /// Without one of its header packets a stream cannot be decoded.
    private mutating func forgetHeaders() {
        guard case .headers = stage else { return }
        stage = .none
        choice.forget()
    }
}

// MARK: - Packets

extension OggFramer {
    private mutating func readPackets(of page: OggPage) {
        var audio = OggPageAudio()
        while let piece = packets.next() {
            switch piece {
            case .dropped(let count):
                if count > 0 { events.append(.skipped(bytes: count, .damaged)) }
                noteLoss()
                forgetHeaders()
            case .packet(let range, let offset):
                take(range, offset, &audio)
            }
        }
        close(page, audio)
    }

    private mutating func take(_ range: Range<Int>, _ offset: Int64, _ audio: inout OggPageAudio) {
        let packet = packets[range]
        if case .headers(var mapping) = stage {
            switch mapping.takeHeader(packet) {
            case .more: stage = .headers(mapping)
            case .complete: startAudio(mapping)
            case .audio:
                startAudio(mapping)
                return take(range, offset, &audio)
            case .invalid: forgetHeaders()
            }
        } else if case .audio = stage {
            switch mapping?.content(of: packet) {
            case .audio(let samples):
                return give(Frame(range: range, offset: offset, samples: samples), &audio)
            case .damage:
                noteLoss()
                return events.append(.skipped(bytes: range.count, .damaged))
            case .other, nil: break
            }
        }
        events.append(.skipped(bytes: range.count, .container))
    }

    private mutating func give(_ frame: Frame, _ audio: inout OggPageAudio) {
        if breach != .none, hasFrames {
            // All audio that is missing on the page counts at its first breach.
            if audio.breach == nil {
                audio.breach = (events.count, breach == .loss)
            } else {
                events.append(.discontinuity)
            }
        }
        breach = .none
        hasFrames = true
        audio.add(frame, at: events.count)
        events.append(.frame(frame))
    }

    /// All packets that end on the page are there: is anything missing before them?
    private mutating func close(_ page: OggPage, _ audio: OggPageAudio) {
        guard let first = audio.first else { return }
        let finding = continuity.take(
            granule: page.position, frames: audio.frames, samples: audio.samples, isEnd: page.isEnd)
        if case .missing(let samples) = finding {
            events.insert(.missing(samples: samples), at: audio.breach?.place ?? first)
        } else if let (place, isLoss) = audio.breach {
            events.insert(isLoss && finding == .unknown ? .missing(samples: nil) : .discontinuity, at: place)
        }
        switch finding {
        case .cutAtFront(let samples): cut(samples, from: events.indices)
        case .cutAtEnd(let samples): cut(samples, from: events.indices.reversed())
        case .follows, .missing, .unknown: break
        }
    }

    /// Takes samples that are not to be played off the first frames, or off the last ones.
    private mutating func cut(_ samples: Int64, from places: some Sequence<Int>) {
        var rest = Int(samples)
        for place in places where rest > 0 {
            guard case .frame(var frame) = events[place] else { continue }
            let part = min(rest, frame.samples)
            frame.samples -= part
            rest -= part
            events[place] = .frame(frame)
        }
    }

    /// The headers of a link are complete.
    private mutating func startAudio(_ mapping: any OggMapping) {
        stage = .audio
        let format = mapping.format
        let isNew = format != self.format
        // A decoder goes on across links of one format, so that the granule positions of the later ones say less.
        continuity = isNew ? OggContinuity(fromStart: format.codec) : OggContinuity()
        if isNew {
            self.format = format
            self.mapping = mapping
            events.append(.format(format))
        }
        let title = mapping.comments.streamTitle ?? ""
        if title != self.title {
            self.title = title
            events.append(.title(title))
        }
    }

    /// Forgets the packet at hand, which was to go on.
    private mutating func dropPacket(_ reason: SkipReason) {
        let count = packets.drop()
        if count > 0 { events.append(.skipped(bytes: count, reason)) }
    }
}

/// The audio among a page's events.
private struct OggPageAudio {
    /// Place of its first frame among the events.
    private(set) var first: Int?
    private(set) var frames = 0
    private(set) var samples: Int64 = 0
    /// The place of the first frame that does not follow the one before it, and whether something was lost there.
    var breach: (place: Int, isLoss: Bool)?

    mutating func add(_ frame: Frame, at place: Int) {
        first = first ?? place
        frames += 1
        samples += Int64(frame.samples)
    }
}
