// SPDX-License-Identifier: MIT

/// Puts packets into the pages of a new logical stream, for a segment file or for a listener (RFC 3533).
///
/// Order of calls: ``headerPages()``, any number of ``append(packet:samples:into:)`` and ``flush(into:)``,
/// ``finish(into:)``. Packets are unchanged; page sequence and granule positions begin at 0.
///
/// - Opus: the identification header gets the caller's ``PreSkip``. Granule positions count the skipped samples, too.
/// - Vorbis: the first packet only primes the decoder; its samples are not counted, whatever the caller says.
///
/// A page has room for about a second of audio, 32 KiB, or 255 segments. It is written when the next packet does not
/// fit. One packet is always held back, so that the last page has a packet and can carry the end-of-stream flag.
package struct OggPaginator {
    /// How many of an Opus stream's first samples a decoder discards (RFC 7845 §4.2). Other codecs have no such number.
    package enum PreSkip: Hashable, Sendable {
        /// The encoder's own number, because the first packet is the encoder's first.
        case encoders
        /// 80 ms: packets before the first one are missing, and without them a decoder takes that long to converge.
        case convergence
        /// None: a listener who joins in the middle of a stream prefers slightly wrong sound to silence.
        case none
    }

    private static let maximumSegments = 255
    private static let maximumBody = 32 << 10
    /// Granule position of a page on which no packet ends.
    private static let noGranule: Int64 = -1

    private let headers: [[UInt8]]
    private let serial: UInt32
    private let samplesPerPage: Int64
    /// Whether the next packet only primes the decoder.
    private var isPriming: Bool
    private var isFinished = false

    private var sequence: UInt32 = 0
    /// The samples in all packets so far.
    private var position: Int64 = 0
    /// The current page: its segment lengths and its payload.
    private var lacing: [UInt8] = []
    private var body: [UInt8] = []
    private var isContinued = false
    /// The number of samples before the current page, and the number of samples up to the end of the last packet that
    /// ends on it.
    private var pageStart: Int64 = 0
    private var granule = noGranule
    /// The place of the last packet in the current page, and the samples before it.
    private var last: (segments: Int, bytes: Int, position: Int64) = (0, 0, 0)

    /// Creates the paginator of one logical stream.
    ///
    /// - Parameters:
    ///   - format: a format in Ogg, with its header packets.
    ///   - serial: distinguishes this logical stream from others; any number.
    ///   - comments: names and values of the comment header in their order, such as ("TITLE", "…").
    ///   - preSkip: how many of the first samples of Opus a decoder discards.
    ///   - pageDuration: the most audio on a page, unless one packet is longer.
    package init(
        format: StreamFormat, serial: UInt32, comments: [(String, String)], preSkip: PreSkip = .none,
        pageDuration: Duration = .seconds(1)
    ) {
        precondition(format.container == .ogg, "\(format.container) is not Ogg")
        self.serial = serial
        let seconds = Double(pageDuration.components.seconds) + Double(pageDuration.components.attoseconds) * 1e-18
        samplesPerPage = Int64(max(0, seconds) * Double(format.sampleRate))
        isPriming = format.codec == .vorbis
        headers = Self.headers(
            of: format, preSkip,
            VorbisComment(ownFields: comments))
    }

    /// The pages that a decoder needs first: the identification packet on a page of its own, then the other header
    /// packets.
    package mutating func headerPages() -> [UInt8] {
        var output: [UInt8] = []
        for (index, packet) in headers.enumerated() {
            packet.withUnsafeBytes { put($0, samples: 0, into: &output) }
            if index == 0 || index == headers.count - 1 { writePage(into: &output) }
        }
        return output
    }

    /// Takes one audio packet, and appends pages that are full to `output`.
    ///
    /// - Parameters:
    ///   - packet: the whole packet.
    ///   - samples: how many samples the packet adds when it is decoded after the one before it, see ``Frame/samples``.
    ///   - output: receives the pages.
    package mutating func append(packet: UnsafeRawBufferPointer, samples: Int, into output: inout [UInt8]) {
        guard !isFinished else { return }
        let needed = packet.count / 255 + 1
        let isFull =
            position - pageStart >= samplesPerPage || body.count + packet.count > Self.maximumBody
            || lacing.count + needed > Self.maximumSegments
        if isFull, !lacing.isEmpty { writePage(into: &output) }
        last = (lacing.count, body.count, position)
        put(packet, samples: isPriming ? 0 : max(0, samples), into: &output)
        isPriming = false
    }

    /// Writes all pending packets except the last one, so that a growing file lags behind by only one packet.
    package mutating func flush(into output: inout [UInt8]) {
        guard !isFinished, last.segments > 0 else { return }
        let keptLacing = Array(lacing[last.segments...])
        let keptBody = Array(body[last.bytes...])
        let middle = last.position
        lacing.removeSubrange(last.segments...)
        body.removeSubrange(last.bytes...)
        granule = middle
        writePage(into: &output)
        lacing = keptLacing
        body = keptBody
        granule = position
        pageStart = middle
    }

    /// Writes the last page, with the end-of-stream flag. Nothing can be appended after that.
    package mutating func finish(into output: inout [UInt8]) {
        guard !isFinished else { return }
        isFinished = true
        if lacing.isEmpty { granule = position }
        writePage(into: &output, flags: OggPage.endFlag)
    }

    /// Puts a packet into the current page, and into as many more as it needs.
    private mutating func put(_ packet: UnsafeRawBufferPointer, samples: Int, into output: inout [UInt8]) {
        var rest = packet[...]
        while true {
            let full = min(rest.count / 255, Self.maximumSegments - lacing.count)
            lacing.append(contentsOf: repeatElement(255, count: full))
            body.append(contentsOf: rest.prefix(full * 255))
            rest = rest.dropFirst(full * 255)
            guard lacing.count == Self.maximumSegments else { break }
            writePage(into: &output, isPacketOpen: true)
        }
        // The rest is appended even if its length is 0: only a segment shorter than 255 ends a packet.
        lacing.append(UInt8(rest.count))
        body.append(contentsOf: rest)
        position = position.addingSaturated(Int64(samples))
        granule = position
    }

    private mutating func writePage(into output: inout [UInt8], flags: UInt8 = 0, isPacketOpen: Bool = false) {
        let start = output.count
        output.append(contentsOf: OggPage.captureMark.withUTF8Buffer { Array($0) })
        output.append(0)
        output.append(
            flags | (isContinued ? OggPage.continuedFlag : 0) | (sequence == 0 ? OggPage.beginFlag : 0))
        output.appendLittleEndian(granule)
        output.appendLittleEndian(serial)
        output.appendLittleEndian(sequence)
        output.appendLittleEndian(UInt32(0))
        output.append(UInt8(lacing.count))
        output.append(contentsOf: lacing)
        output.append(contentsOf: body)
        output.withUnsafeMutableBytes { bytes in
            let page = UnsafeRawBufferPointer(rebasing: bytes[start...])
            bytes.storeBytes(
                of: OggChecksum.of(page: page).littleEndian,
                toByteOffset: start + OggPage.checksumField.lowerBound, as: UInt32.self)
        }
        sequence &+= 1
        lacing.removeAll(keepingCapacity: true)
        body.removeAll(keepingCapacity: true)
        isContinued = isPacketOpen
        pageStart = position
        granule = Self.noGranule
        last = (0, 0, position)
    }

    private static func headers(
        of format: StreamFormat, _ preSkip: PreSkip, _ comments: VorbisComment
    ) -> [[UInt8]] {
        var headers = format.headerPackets
        guard headers.count >= 2 else { return headers }
        switch format.codec {
        case .vorbis:
            headers[1] = VorbisMapping.commentPacket(comments)
        case .opus:
            switch preSkip {
            case .encoders: break
            case .convergence: headers[0] = OpusMapping.identification(headers[0], preSkip: 3_840)
            case .none: headers[0] = OpusMapping.identification(headers[0], preSkip: 0)
            }
            headers[1] = OpusMapping.commentPacket(comments)
        case .flac:
            headers[1] = FLACMapping.commentPacket(comments)
        case .mp1, .mp2, .mp3, .aac:
            break
        }
        return headers
    }
}
