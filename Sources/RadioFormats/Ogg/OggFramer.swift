// SPDX-License-Identifier: MIT

/// Frames the packets of the first audio stream in Ogg: Vorbis, Opus or FLAC (RFC 3533).
///
/// A physical stream is a chain of links. Each link begins with pages that are flagged as beginnings, one for each
/// logical stream in it. The framer takes the first of these streams to deliver data in a known codec, and skips the
/// others as `container`. Bytes before the first flagged page cannot be decoded, and are skipped.
///
/// A link with an equal ``StreamFormat`` simply continues, whether or not the link before it ended properly. Audio is
/// reported as missing where pages or packets are lost, and where granule positions show it (``OggContinuity``).
/// ``Frame/samples`` is the output of a decoder that is fed all frames of one format in one go, without the samples
/// that the granule positions of a link's first and last page cut off.
///
/// A new link is recognized without the end-of-stream flag: some encoders forget it, and others set it on every page.
package struct OggFramer: Framer {
    private enum Stage {
        /// No stream is chosen, or the chosen stream's headers are unusable.
        case none
        /// Header packets of the chosen stream are due.
        case headers(any OggMapping)
        case audio
    }

    /// What is known of the break before the next frame.
    private enum Breach: Int {
        case none
        /// The frame does not follow the one before it.
        case disorder
        /// Something was lost before the frame.
        case loss
    }

    private var scanner = OggPageScanner()
    private var choice = OggStreamChoice()
    private var packets = OggPacketReader()
    private var stage = Stage.none
    /// The header packet that is arriving in parts, if it can be used without its attachments.
    private var longHeader: OggLongHeader?
    private var continuity = OggContinuity()
    private var breach = Breach.none
    /// The number of the page that is due.
    private var nextSequence: UInt32 = 0
    /// Whether something was lost since the last page of the chosen stream.
    private var sawDamage = false

    private var format: StreamFormat?
    private var mapping: (any OggMapping)?
    private var title = ""
    private var hasFrames = false
    private var isFinished = false
    /// Pending events, at most those of one page, and how many of them were returned.
    private var events: [FramerEvent] = []
    private var eventsSaid = 0

    package init() {}

    /// The names and values in the comment header that came with the current format, in their order.
    package var comments: [(String, String)] { mapping?.comments.fields.map { ($0.name, $0.value) } ?? [] }

    /// The name of the program that wrote that comment header.
    package var vendor: String { mapping?.comments.vendor ?? "" }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        packets.forgetRead()
        scanner.append(bytes)
    }

    package mutating func compact() {
        packets.compact()
        scanner.compact()
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

    /// Handles the first page of a logical stream: one more of this link, or the first of a new link.
    private mutating func begin(_ page: OggPage, _ range: Range<Int>) {
        let identification = scanner.withBytes(range) { page.firstPacket(in: $0) }
        guard choice.begin(page, oggMapping(identification: identification[...])) else { return }
        if packets.isOpen || sawDamage { note(.disorder) }
        dropPacket(.damaged)
        stage = .none
        continuity = OggContinuity()
    }

    private mutating func isOurs(_ page: OggPage) -> Bool {
        switch choice.owner(of: page) {
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

    /// Makes sure that only the very next page continues a packet. The page need not have the continuation flag: some
    /// muxers forget it, and players ignore it.
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

    /// Reports a loss, or only disorder before the link's first audio page. A client that joins gets the header pages
    /// of a link and then the current page, so nothing is lost in between.
    private mutating func noteLoss() {
        note(continuity.isEmpty ? .disorder : .loss)
    }

    /// Gives up a stream that has lost one of its header packets: it cannot be decoded.
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
        while let output = packets.next() {
            switch output {
            case .dropped(let count):
                lose(count)
            case .part(let range, let isFirst, let isLast):
                takePart(range, isFirst: isFirst, isLast: isLast)
            case .packet(let range, let offset):
                take(range, offset, &audio)
            }
        }
        close(page, audio)
    }

    /// Gives up a packet that is not whole, of which `count` bytes have just arrived.
    private mutating func lose(_ count: Int) {
        if count > 0 { events.append(.skipped(bytes: count, .damaged)) }
        noteLoss()
        forgetHeaders()
    }

    /// Takes the next bytes of a packet that is too long to be held. Only a header may be that long.
    private mutating func takePart(_ range: Range<Int>, isFirst: Bool, isLast: Bool) {
        let bytes = packets[range]
        if !isFirst {
            longHeader?.take(bytes)
        } else if case .headers(let mapping) = stage {
            longHeader = mapping.layout(ofLongHeader: bytes).map { OggLongHeader($0, bytes) }
        }
        guard let longHeader, case .headers(let mapping) = stage else { return lose(range.count) }
        if !range.isEmpty { events.append(.skipped(bytes: range.count, .attachment)) }
        guard isLast else { return }
        self.longHeader = nil
        _ = takeHeader(longHeader.packet[...], mapping)
    }

    /// Takes a header packet. Returns false if it is audio already.
    private mutating func takeHeader(_ packet: ArraySlice<UInt8>, _ mapping: any OggMapping) -> Bool {
        var mapping = mapping
        switch mapping.takeHeader(packet) {
        case .more: stage = .headers(mapping)
        case .complete: startAudio(mapping)
        case .audio:
            startAudio(mapping)
            return false
        case .invalid: forgetHeaders()
        }
        return true
    }

    private mutating func take(_ range: Range<Int>, _ offset: Int64, _ audio: inout OggPageAudio) {
        let packet = packets[range]
        var reason = SkipReason.container
        if case .headers(let mapping) = stage {
            guard takeHeader(packet, mapping) else { return take(range, offset, &audio) }
            reason = .header(range.count)
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
        events.append(.skipped(bytes: range.count, reason))
    }

    private mutating func give(_ frame: Frame, _ audio: inout OggPageAudio) {
        if breach != .none, hasFrames {
            // All audio that is missing on the page is reported at the first break on the page.
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

    /// Checks whether audio is missing before the packets that end on the page, once all of them have been read.
    private mutating func close(_ page: OggPage, _ audio: OggPageAudio) {
        guard let first = audio.first else { return }
        let isJoin = continuity.isEmpty
        let finding = continuity.take(
            granule: page.position, frames: audio.frames, samples: audio.samples, isEnd: page.isEnd)
        switch finding {
        case .follows where audio.breach == nil, .missing: place(page, from: audio.breach?.place)
        case .unknown where isJoin: place(page, from: audio.breach?.place)
        case .follows, .unknown, .cutAtFront, .cutAtEnd: break
        }
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

    /// Sets the places of the page's frames since its last break.
    private mutating func place(_ page: OggPage, from start: Int?) {
        guard var sample = page.position else { return }
        for index in events.indices.reversed() where index >= start ?? 0 {
            guard case .frame(var frame) = events[index] else { continue }
            sample -= Int64(frame.samples == 0 ? mapping?.primed ?? 0 : frame.samples)
            frame.place = StatedPlace(stream: page.serial, sample: sample)
            events[index] = .frame(frame)
        }
    }

    /// Subtracts samples that must not be played from the first frames, or from the last ones.
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

    /// Begins the audio of a link whose headers are complete.
    private mutating func startAudio(_ mapping: any OggMapping) {
        stage = .audio
        let format = mapping.format
        let isNew = format != self.format
        // A decoder continues across links of one format, so the first granule position of a later link cuts off
        // nothing.
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

    /// Drops the current packet, because its continuation is missing.
    private mutating func dropPacket(_ reason: SkipReason) {
        longHeader = nil
        let count = packets.drop()
        if count > 0 { events.append(.skipped(bytes: count, reason)) }
    }
}

/// The audio among a page's events.
private struct OggPageAudio {
    /// The index of the first frame among the events.
    private(set) var first: Int?
    private(set) var frames = 0
    private(set) var samples: Int64 = 0
    /// The index of the first frame that does not follow the one before it, and whether something was lost between the
    /// two.
    var breach: (place: Int, isLoss: Bool)?

    mutating func add(_ frame: Frame, at place: Int) {
        first = first ?? place
        frames += 1
        samples += Int64(frame.samples)
    }
}
