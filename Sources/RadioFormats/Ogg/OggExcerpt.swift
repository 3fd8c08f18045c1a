// SPDX-License-Identifier: MIT

/// Copies packets of several Ogg files, one after the other, into one logical stream of its own (RFC 3533).
///
/// Order of calls: for each file ``begin(_:)``, any number of ``append(_:into:)`` and one ``endFile(into:)``; after the
/// last file ``finish(into:)``. The excerpt holds at most a page or a packet, whatever the files claim.
///
/// The stream begins with the headers of the first file that has a wanted packet. If that packet is its file's first,
/// the file's pre-skip is kept; otherwise the pre-skip covers the time that a decoder needs to converge. Packets are
/// unchanged. Files that need other headers than the stream's are refused, because a decoder would play their packets
/// as noise.
package struct OggExcerpt {
    /// The totals of what was copied.
    package struct Totals: Hashable, Sendable {
        package var frames: Int64 = 0
        /// Bytes of packets, without their pages.
        package var bytes: Int64 = 0
        package var samples: Int64 = 0
        /// Wanted packets that were written to the files but are lost.
        package var missing: Int64 = 0
    }

    /// The packets of a file need other headers than the packets of the files before it.
    package struct OtherHeaders: Error, Hashable, Sendable {}

    /// Packets to be put between those of a file.
    package struct FoundPackets {
        /// The number of the packet of the file before which they belong.
        let place: Int64
        let format: StreamFormat
        /// Returns the next packet, and its samples; nil after the last one.
        let next: () -> (packet: [UInt8], samples: Int)?

        package init(
            before place: Int64, _ format: StreamFormat, _ next: @escaping () -> (packet: [UInt8], samples: Int)?
        ) {
            (self.place, self.format, self.next) = (place, format, next)
        }
    }

    private(set) package var totals = Totals()

    private let serial: UInt32
    private let title: String?
    private var framer = OggFramer()
    /// Selects the wanted packets of the current file.
    private var selection = FrameSelection(0..<0)
    /// The samples of the longest packet of the current file so far.
    private var packetLength: Int64 = 0
    private var format: StreamFormat?
    /// Whether ``format`` has been compared with the stream's format.
    private var isFormatChecked = false
    private var stream: LogicalStream?
    private var isFirstOfFile = true
    /// What is still to be put into the current file.
    private var insertion: FoundPackets?

    /// Creates an excerpt without any packet. `serial` distinguishes the logical stream from others; any number.
    /// `title` replaces the title in the first file's comments.
    package init(serial: UInt32, title: String? = nil) {
        self.serial = serial
        self.title = title
    }

    /// Begins the next file, of which some packets are wanted.
    package mutating func begin(_ selection: FrameSelection, inserting insertion: FoundPackets? = nil) {
        (self.selection, self.insertion) = (selection, insertion)
        framer = OggFramer()
        (format, isFormatChecked, isFirstOfFile, packetLength) = (nil, false, true, 0)
    }

    /// Takes the next bytes of the file, and appends pages that are full to `output`. Returns whether more bytes are
    /// wanted.
    package mutating func append(
        _ bytes: [UInt8], into output: inout [UInt8]
    ) throws(OtherHeaders) -> Bool {
        bytes.withUnsafeBytes { framer.append($0) }
        try drain(into: &output)
        return !selection.isOver
    }

    /// Ends the file.
    package mutating func endFile(into output: inout [UInt8]) throws(OtherHeaders) {
        framer.finish()
        try drain(into: &output)
        try insert(into: &output)
        selection.end()
        totals.missing += selection.missing
    }

    /// Writes the last page. Nothing can be appended after that.
    package mutating func finish(into output: inout [UInt8]) {
        stream?.paginator.finish(into: &output)
    }

    private mutating func drain(into output: inout [UInt8]) throws(OtherHeaders) {
        while !selection.isOver, let event = framer.next() {
            switch event {
            case .format(let format): (self.format, isFormatChecked) = (format, false)
            case .frame(let frame):
                packetLength = max(packetLength, Int64(frame.samples))
                let number = selection.position
                if selection.takeNext() { try copy(frame, number, into: &output) }
            case .missing(let samples?) where packetLength > 0: selection.lose(samples / packetLength)
            case .skipped, .title, .discontinuity, .missing, .wrongChecksum: break
            }
        }
    }

    private mutating func copy(_ frame: Frame, _ number: Int64, into output: inout [UInt8]) throws(OtherHeaders) {
        try checkFormat(beginsFile: number == 0, into: &output)
        if let place = insertion?.place, number >= place { try insert(into: &output) }
        put(framer.withBytes(of: frame) { Array($0) }, samples: frame.samples, into: &output)
    }

    private mutating func insert(into output: inout [UInt8]) throws(OtherHeaders) {
        guard let insertion = insertion.take() else { return }
        guard stream?.format == LogicalStream.decoderFormat(insertion.format) else { throw OtherHeaders() }
        isFirstOfFile = true
        while let (packet, samples) = insertion.next() { put(packet, samples: samples, into: &output) }
        isFirstOfFile = true
    }

    private mutating func put(_ packet: [UInt8], samples: Int, into output: inout [UInt8]) {
        stream?.append(packet, samples: samples, isFirstOfFile: isFirstOfFile, into: &output)
        isFirstOfFile = false
        totals.frames += 1
        totals.bytes += Int64(packet.count)
        totals.samples = totals.samples.addingSaturated(Int64(samples))
    }

    private mutating func checkFormat(beginsFile: Bool, into output: inout [UInt8]) throws(OtherHeaders) {
        guard !isFormatChecked, let format else { return }
        isFormatChecked = true
        guard let stream else {
            var comments = framer.comments
            if let title { comments = [("TITLE", title)] + comments.filter { $0.0 != "TITLE" } }
            var first = LogicalStream(
                format, serial: serial, comments: comments, preSkip: beginsFile ? .encoders : .convergence)
            output += first.paginator.headerPages()
            stream = first
            return
        }
        guard stream.format == LogicalStream.decoderFormat(format) else { throw OtherHeaders() }
    }
}

/// The logical stream under construction.
private struct LogicalStream {
    let format: StreamFormat
    var paginator: OggPaginator
    /// Vorbis: how a packet overlaps with the packet copied before it, which may come from another file.
    private var overlap: VorbisMapping?

    init(_ format: StreamFormat, serial: UInt32, comments: [(String, String)], preSkip: OggPaginator.PreSkip) {
        self.format = Self.decoderFormat(format)
        paginator = OggPaginator(format: format, serial: serial, comments: comments, preSkip: preSkip)
        overlap = Self.overlap(format)
    }

    mutating func append(_ packet: [UInt8], samples: Int, isFirstOfFile: Bool, into output: inout [UInt8]) {
        var samples = samples
        if case .audio(let joined) = overlap?.content(of: packet[...]), isFirstOfFile { samples = joined }
        packet.withUnsafeBytes { paginator.append(packet: $0, samples: samples, into: &output) }
    }

    /// The format as far as it matters to a decoder in the middle of a stream. The pre-skip of Opus is set to 0,
    /// because it concerns only the beginning of a stream.
    static func decoderFormat(_ format: StreamFormat) -> StreamFormat {
        guard format.codec == .opus, let identification = format.headerPackets.first else { return format }
        var format = format
        format.headerPackets[0] = OpusMapping.identification(identification, preSkip: 0)
        return format
    }

    private static func overlap(_ format: StreamFormat) -> VorbisMapping? {
        guard format.codec == .vorbis, let identification = format.headerPackets.first,
            var mapping = VorbisMapping(identification: identification[...])
        else { return nil }
        for header in format.headerPackets.dropFirst() { _ = mapping.takeHeader(header[...]) }
        return mapping
    }
}
