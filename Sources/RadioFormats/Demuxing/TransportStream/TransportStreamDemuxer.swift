// SPDX-License-Identifier: MIT

/// Takes audio and ID3 tags out of an MPEG transport stream (ISO/IEC 13818-1).
///
/// The audio is the first supported stream of the first programme that has one. Its payload streams through: frames
/// may straddle PES packets, segments, and places where the packager begins to count anew. Bytes before the first PES
/// packet are left out, because they have no time.
package struct TransportStreamDemuxer: Demuxer {
    /// This many packets in sequence that are scrambled are no damage.
    private static let mostScrambled = 8

    private var packets = TransportPackets()
    private var hasPackets = false
    private var tables = ProgrammeTables()
    private var audio: ProgrammeStreams.AudioPart?
    private var continuity = PacketContinuity()
    private var reader = PESReader()
    /// Reads the payload of PES packets, if it is AAC.
    private var aac: AACStream?
    private var tags: TagStream?
    private var announced: Container?
    /// Whether audio has come since the last loss.
    private var hasAudio = false
    private var hadAudio = false
    /// Whether a segment begins, of which no byte has come.
    private var isNewSegment = false
    /// Whether a segment has begun, and no audio of it has come.
    private var isFirstUnit = false
    private var scrambled = 0
    /// A packet of audio with something else behind it. It may lack bytes, unless the next one follows it.
    private var doubtful: [UInt8]?

    package init() {}

    package mutating func push(_ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) throws(DemuxProblem) {
        if isNewSegment { try beginSegment(take) }
        packets.append(bytes)
        try readPackets(isFinal: false, take)
    }

    package mutating func finish(_ take: (Demuxed) -> Void) throws(DemuxProblem) {
        try readToEnd(take)
        guard !hadAudio || aac?.lacksAudio == true else { return }
        guard hasPackets else { throw .malformed("no packets of a transport stream") }
        throw scrambled > 0 ? Self.isScrambled : tables.problem ?? .noAudio
    }

    package mutating func segmentEnds(_ take: (Demuxed) -> Void) throws(DemuxProblem) {
        try readToEnd(take)
        if packets.dropRest() { lose(take) }
    }

    package mutating func segmentBegins() { isNewSegment = true }

    package mutating func restart() { self = Self() }

    private mutating func beginSegment(_ take: (Demuxed) -> Void) throws(DemuxProblem) {
        try segmentEnds(take)
        (isNewSegment, isFirstUnit) = (false, true)
        tables.segmentBegins()
        continuity.segmentBegins()
        tags?.segmentBegins()
    }

    private mutating func readToEnd(_ take: (Demuxed) -> Void) throws(DemuxProblem) {
        try readPackets(isFinal: true, take)
        if let problem = settleDoubt(take) ?? aac?.readToEnd(take) { throw problem }
    }

    private mutating func readPackets(isFinal: Bool, _ take: (Demuxed) -> Void) throws(DemuxProblem) {
        while let place = packets.next(isFinal: isFinal) {
            hasPackets = true
            // A copy, because reading changes this demuxer.
            let packets = packets
            let problem = packets.withBytes(place) { bytes in
                read(bytes, isFollowed: packets.isAligned, take)
            }
            if let problem { throw problem }
        }
    }

    private mutating func read(
        _ bytes: UnsafeRawBufferPointer, isFollowed: Bool, _ take: (Demuxed) -> Void
    ) -> DemuxProblem? {
        guard let packet = TransportPacket(bytes) else { return nil }
        if packet.stream == audio?.stream {
            if let problem = settleDoubt(before: packet, take) { return problem }
            if isFollowed { return readAudio(packet, take) }
            doubtful = Array(bytes)
            return nil
        }
        if packet.stream == tags?.stream {
            tags?.read(packet, take)
            return nil
        }
        return tables.take(packet) ? choose(take) : nil
    }

    /// Follows the tables, which have changed or come again.
    private mutating func choose(_ take: (Demuxed) -> Void) -> DemuxProblem? {
        guard let streams = tables.streams, let chosen = streams.audio else {
            return tables.areComplete ? tables.problem : nil
        }
        if chosen != audio {
            // Within a segment, one stream does not continue another one.
            if audio != nil, !isFirstUnit || reader.begin() { lose(take) }
            (audio, continuity, reader) = (chosen, PacketContinuity(), PESReader())
            aac = chosen.kind == .mpeg ? nil : AACStream(isStatedLATM: chosen.kind == .latm)
        }
        if streams.tags != tags?.stream { tags = streams.tags.map(TagStream.init) }
        let container: Container = chosen.kind == .mpeg ? .mpeg : .adts
        if container != announced {
            announced = container
            take(.container(container))
        }
        return nil
    }

    /// Reads the doubtful packet if the packet behind it has the next number, or if none comes.
    private mutating func settleDoubt(
        before next: TransportPacket? = nil, _ take: (Demuxed) -> Void
    ) -> DemuxProblem? {
        guard let bytes = doubtful.take() else { return nil }
        return bytes.withUnsafeBytes { bytes in
            guard let packet = TransportPacket(bytes) else { return nil }
            let due = next?.payload == nil ? packet.counter : (packet.counter + 1) & 0xF
            return next.map { $0.counter == due } ?? true ? readAudio(packet, take) : nil
        }
    }

    private mutating func readAudio(_ packet: TransportPacket, _ take: (Demuxed) -> Void) -> DemuxProblem? {
        guard !packet.isScrambled else { return refuseScrambled() }
        switch continuity.take(packet) {
        case .repeats: return nil
        case .gap:
            lose(take)
            reader.skipGap()
        case .follows: break
        }
        guard var payload = packet.payload else { return nil }
        if packet.beginsUnit, reader.begin() { lose(take) }
        isFirstUnit = false
        while let output = reader.next(&payload) {
            switch output {
            case .begins(let time, _):
                guard let time else { continue }
                if aac == nil { take(.time(time)) } else { aac?.read(time, take) }
            case .payload(let bytes):
                (hasAudio, hadAudio, scrambled) = (true, true, 0)
                if aac == nil { take(.audio(bytes)) } else if let problem = aac?.read(bytes, take) { return problem }
            case .damaged: lose(take)
            case .scrambled:
                lose(take)
                return refuseScrambled()
            }
        }
        return nil
    }

    /// Tells a loss, once.
    private mutating func lose(_ take: (Demuxed) -> Void) {
        aac?.skipGap(take)
        guard hasAudio else { return }
        hasAudio = false
        take(.lost)
    }

    private mutating func refuseScrambled() -> DemuxProblem? {
        scrambled += 1
        return scrambled < Self.mostScrambled ? nil : Self.isScrambled
    }

    private static let isScrambled = DemuxProblem.encrypted("a scrambled transport stream")
}
