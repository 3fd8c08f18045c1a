// SPDX-License-Identifier: MIT

/// Frames the packets of the first audio stream in Ogg: Vorbis, Opus or FLAC (RFC 3533).
///
/// A physical stream is a chain of links; each begins with pages that are marked so, one for each logical stream in it.
/// The first of those whose codec is known and whose data comes is framed, the others are skipped as `container`. What
/// comes before the first such page cannot be decoded and is skipped.
///
/// A link with an equal ``StreamFormat`` just goes on, whether or not the link before it was ended properly; only lost
/// pages and packets are a discontinuity. Titles come from comments, on change. ``Frame/samples`` are what a decoder
/// gives out that is fed all frames of one format in one go; the cut that a link's last granule position makes in its
/// last packet is left out of account.
///
/// The end-of-stream flag is not looked at: encoders forget it, and others set it on every page.
package struct OggFramer: Framer {
    /// The longest packet that is put together.
    static let maximumPacketLength = 1 << 20
    /// Logical streams side by side that are told apart.
    private static let maximumStreams = 16

    private enum Link {
        /// Nothing that could be decoded.
        case none
        /// The first pages of logical streams come: those whose codec is known.
        case beginning([Candidate])
        /// The other header packets of the chosen stream come.
        case headers(any OggMapping)
        case audio
    }

    private struct Candidate {
        var serial: UInt32
        var sequence: UInt32
        var mapping: any OggMapping
    }

    private var scanner = OggPageScanner()
    private var link = Link.none
    private var serial: UInt32 = 0
    /// Serials of this link's other streams, whose pages are no news.
    private var others: Set<UInt32> = []
    private var expectedSequence: UInt32 = 0
    /// Something was lost since the last page of the chosen stream.
    private var sawDamage = false

    /// Payload of the chosen stream's pages, joined, so that packets are contiguous.
    private var payload: [UInt8] = []
    /// Segment lengths of the page at hand, and how many of them are done.
    private var lacing: [UInt8] = []
    private var segmentsDone = 0
    /// Where the packet at hand begins and how far it has come.
    private var packet = 0..<0
    /// Offset of its first byte, and of the byte after what has come, in the whole input.
    private var packetOffset: Int64 = 0
    private var offset: Int64 = 0
    /// The packet at hand goes on in the next page.
    private var isOpen = false
    /// The packet at hand has no beginning or is too long: its bytes are skipped.
    private var isDropping = false

    private var format: StreamFormat?
    private var mapping: (any OggMapping)?
    private var title = ""
    private var hasFrames = false
    private var isBroken = false
    private var isFinished = false
    /// What is to be said before anything else, and how much of it was said.
    private var events: [FramerEvent] = []
    private var eventsSaid = 0

    package init() {}

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if packet.lowerBound > 0 {
            payload.removeSubrange(..<packet.lowerBound)
            packet = 0..<packet.count
        }
        scanner.append(bytes)
    }

    package mutating func finish() {
        isFinished = true
        scanner.finish()
    }

    package func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        payload.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[frame.range])) }
    }

    package mutating func next() -> FramerEvent? {
        while true {
            if let event = nextSaid() ?? nextPacket() { return event }
            switch scanner.next() {
            case .page(let page, let range, let offset):
                take(page, range, offset)
            case .skipped(let count, let reason):
                sawDamage = true
                return .skipped(bytes: count, reason)
            case nil:
                guard isFinished, isOpen else { return nil }
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
}

// MARK: - Pages

extension OggFramer {
    private mutating func take(_ page: OggPage, _ range: Range<Int>, _ offset: Int64) {
        if page.isBegin { begin(page, range) }
        choose(page)
        guard !page.isBegin, isChosen(page) else {
            events.append(.skipped(bytes: page.length, .container))
            return
        }
        events.append(.skipped(bytes: page.headerLength, .container))
        checkOrder(of: page)
        self.offset = offset + Int64(page.headerLength)
        if !isOpen { packetOffset = self.offset }
        scanner.withBytes(range) { bytes in
            lacing.removeAll(keepingCapacity: true)
            lacing.append(contentsOf: bytes[OggPage.fixedLength..<page.headerLength])
            payload.append(contentsOf: bytes[page.headerLength...])
        }
        segmentsDone = 0
    }

    /// A logical stream begins: one more of this link, or the first of a new one.
    private mutating func begin(_ page: OggPage, _ range: Range<Int>) {
        var candidates: [Candidate] = []
        if case .beginning(let others) = link {
            candidates = others.filter { $0.serial != page.serial }
        } else {
            if isOpen || sawDamage { isBroken = true }
            dropPacket(.damaged)
            others = []
        }
        let identification = scanner.withBytes(range) { page.firstPacket(in: $0) }
        if let mapping = oggMapping(identification: identification[...]), candidates.count < Self.maximumStreams {
            candidates.append(Candidate(serial: page.serial, sequence: page.sequence, mapping: mapping))
        }
        if others.count < Self.maximumStreams { others.insert(page.serial) }
        link = .beginning(candidates)
    }

    /// The first page after the beginnings says which stream's data has come.
    private mutating func choose(_ page: OggPage) {
        guard case .beginning(let candidates) = link, !page.isBegin else { return }
        guard let candidate = candidates.first(where: { $0.serial == page.serial }) else { return }
        serial = candidate.serial
        expectedSequence = candidate.sequence &+ 1
        others.remove(serial)
        sawDamage = false
        link = .headers(candidate.mapping)
    }

    private mutating func isChosen(_ page: OggPage) -> Bool {
        switch link {
        case .none:
            isBroken = true
            return false
        case .beginning(let candidates):
            if candidates.isEmpty { isBroken = true }
            return false
        case .headers, .audio:
            if page.serial == serial { return true }
            // A stranger's page: the beginning of its link was lost.
            if !others.contains(page.serial) { isBroken = true }
            return false
        }
    }

    /// Sees to it that a packet is only continued by the very next page.
    private mutating func checkOrder(of page: OggPage) {
        if page.sequence != expectedSequence { lose() }
        expectedSequence = page.sequence &+ 1
        sawDamage = false
        if isOpen, !page.isContinued { lose() }
        if !isOpen {
            if page.isContinued { lose() }
            isDropping = page.isContinued
        }
    }

    /// Packets are missing here.
    private mutating func lose() {
        dropPacket(.damaged)
        isBroken = true
        if case .headers = link { link = .none }
    }
}

// MARK: - Packets

extension OggFramer {
    /// Goes on in the page at hand to the end of the next packet that has anything to say.
    private mutating func nextPacket() -> FramerEvent? {
        while segmentsDone < lacing.count {
            let length = Int(lacing[segmentsDone])
            segmentsDone += 1
            packet = packet.lowerBound..<packet.upperBound + length
            offset += Int64(length)
            isOpen = length == 255
            if isOpen, packet.count > Self.maximumPacketLength { isDropping = true }
            let isPageDone = segmentsDone == lacing.count
            if isDropping, isOpen ? isPageDone : true {
                if let event = skipDropped() { return event }
            } else if !isOpen, let event = endPacket() {
                return event
            }
        }
        return nil
    }

    /// The packet at hand is whole.
    private mutating func endPacket() -> FramerEvent? {
        let range = packet
        let start = packetOffset
        packet = range.upperBound..<range.upperBound
        packetOffset = offset
        guard !range.isEmpty else { return nil }
        if case .audio = link {
            guard let samples = mapping?.samples(of: payload[range]) else {
                return .skipped(bytes: range.count, .container)
            }
            return give(Frame(range: range, offset: start, samples: samples))
        }
        if case .headers(var mapping) = link {
            switch mapping.takeHeader(payload[range]) {
            case .more: link = .headers(mapping)
            case .complete: startAudio(mapping)
            case .invalid: link = .none
            }
        }
        return .skipped(bytes: range.count, .container)
    }

    private mutating func give(_ frame: Frame) -> FramerEvent {
        defer { (hasFrames, isBroken) = (true, false) }
        guard hasFrames, isBroken else { return .frame(frame) }
        events.append(.frame(frame))
        return .discontinuity
    }

    /// The headers of a link are complete.
    private mutating func startAudio(_ mapping: any OggMapping) {
        link = .audio
        let format = mapping.format
        if format != self.format {
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
        if !packet.isEmpty { events.append(.skipped(bytes: packet.count, reason)) }
        packet = packet.upperBound..<packet.upperBound
        packetOffset = offset
        isOpen = false
        isDropping = false
    }

    /// Skips what there is of a packet that will not be whole.
    private mutating func skipDropped() -> FramerEvent? {
        let count = packet.count
        packet = packet.upperBound..<packet.upperBound
        packetOffset = offset
        isDropping = isOpen
        isBroken = true
        if case .headers = link { link = .none }
        return count > 0 ? .skipped(bytes: count, .damaged) : nil
    }
}
