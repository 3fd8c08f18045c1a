// SPDX-License-Identifier: MIT

/// Finds the frames of FLAC outside Ogg (RFC 9639), starting at the head of a stream or anywhere in it.
///
/// A header does not state the length of its frame. So the framer remembers each place where a header stands. At the
/// next header, or at the end of the input, the frame's checksum shows which of these places began the frame that ends
/// there. Frame numbers show how many samples were lost.
///
/// Metadata blocks are skipped as `container` or `attachment`; the title of a comment block is reported. Holds at most
/// 1 MiB beyond the bytes of one ``append(_:)``, plus 1 MiB of comments.
package struct FLACFramer: Framer {
    private enum Phase {
        case frames
        /// A block of metadata is due.
        case blocks
        /// The rest of a tag or of a metadata block; frames follow if `isLast`, else another block.
        case skipping(Int, SkipReason, isLast: Bool)
    }

    private var buffer = FramingBuffer()
    private var phase = Phase.frames
    private var isFinal = false
    /// The offset of the first byte not examined yet, and the checksum of all bytes before it.
    private var seen: Int64 = 0
    private var checksum = FLACFrameChecksum()
    private var starts = FLACFrameStarts()

    /// The stream's properties, from STREAMINFO or the last frame.
    private var known: FLACStreamInfo?
    private var announced: StreamFormat?
    /// The number of the frame that is due; nil if the numbering starts anew.
    private var nextNumber: Int64?
    private var hasFrames = false
    /// The bytes since the last frame that belong to no frame.
    private var lostBytes = 0
    private var title = ""
    /// The comments that are being skipped, and how many bytes of their block header are still to be skipped.
    private var comments: (reader: VorbisCommentReader, headerLeft: Int)?

    /// Pending events: at most those of two frames.
    private var events: [FramerEvent] = []

    package init() {}

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { buffer.append(bytes) }

    package mutating func compact() { buffer.compact() }
    package mutating func finish() { isFinal = true }
    package func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withBytes(frame.range, body)
    }

    package var holdsFrame: Bool { released != nil }

    package mutating func releaseHeld() {
        if let released { self = released }
    }

    /// This framer if nothing followed the bytes at hand; nil unless they end with a whole frame.
    private var released: FLACFramer? {
        guard !isFinal else { return nil }
        var (framer, events) = (self, [FramerEvent]())
        framer.isFinal = true
        while case .frames = framer.phase, framer.lookOn() {
            events += framer.events
            framer.events = []
        }
        guard framer.buffer.count == 0, case .frame? = framer.events.last else { return nil }
        framer.events = events + framer.events
        framer.isFinal = false
        return framer
    }

    package mutating func next() -> FramerEvent? {
        while events.isEmpty {
            let continues =
                switch phase {
                case .frames: lookOn()
                case .blocks: takeBlock()
                case .skipping(let count, let reason, let isLast): skipOn(count, reason, isLast: isLast)
                }
            guard continues || !events.isEmpty else { return nil }
        }
        return events.removeFirst()
    }

    /// The offset of the end of all appended bytes.
    private var end: Int64 { buffer.offset + Int64(buffer.count) }

    private mutating func skip(to offset: Int64, _ reason: SkipReason) {
        let count = Int(offset - buffer.offset)
        guard count > 0 else { return }
        buffer.pass(count)
        if reason == .junk || reason == .damaged { lostBytes += count }
        events.append(.skipped(bytes: count, reason))
    }
}

// MARK: - Frames

extension FLACFramer {
    /// Examines bytes until there is an event; returns false if more bytes are needed.
    private mutating func lookOn() -> Bool {
        while events.isEmpty, case .frames = phase {
            let limit = isFinal ? end : end - Self.lookahead
            guard seen < limit else { return lookAtEnd() }
            let stop = min(limit, starts.expiry ?? limit)
            let first = Int(seen - buffer.offset)
            let next = buffer.withUnread { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[first..<max(first, Int(stop - buffer.offset))])
                let next = rest.firstIndex(where: Self.mayStand) ?? rest.count
                checksum.take(UnsafeRawBufferPointer(rebasing: rest[..<next]))
                return next
            }
            seen += Int64(next)
            if let expiry = starts.expiry, seen >= expiry {
                if let found = starts.dropFirst() { report(found) }
                skip(to: starts.first ?? seen, .damaged)
            } else if seen < limit {
                look()
            }
        }
        return true
    }

    /// Examines a place where a frame, a head or a tag may begin, and where the frame before it may end.
    private mutating func look() {
        let place = Int(seen - buffer.offset)
        let mark = checksum.mark
        let stop = buffer.withUnread { bytes in
            checksum.take(UnsafeRawBufferPointer(rebasing: bytes[place...place]))
            return FLACStop(UnsafeRawBufferPointer(rebasing: bytes[place...]))
        }
        let isEnd =
            switch stop {
            case .head, .tag, .frame: endFrame(mark, isCertain: true)
            case .sync: endFrame(mark, isCertain: false)
            case nil: false
            }
        switch stop {
        case .head:
            if let found = starts.takeWaiting() { report(found) }
            skip(to: seen, starts.first == nil ? .junk : .damaged)
            starts.removeAll()
            (phase, known, nextNumber) = (.skipping(FLACStop.markLength, .container, isLast: false), nil, nil)
            return
        case .tag(let length) where isEnd || (seen == buffer.offset && lostBytes == 0):
            guard !hasFrames || length <= Self.longestTag else { break }
            phase = .skipping(length, .tag, isLast: true)
            return
        case .frame(let header):
            guard let info = FLACStreamInfo(header, known: known) else { break }
            if starts.first == nil { skip(to: seen, .junk) }
            starts.add(header, at: seen, mark, longest: info.longestFrame(header.samples))
        case .tag, .sync, nil: break
        }
        seen += 1
    }

    /// Handles the end of the bytes that may be examined: at the end of the input, reports what is left. Returns false.
    private mutating func lookAtEnd() -> Bool {
        guard isFinal else {
            if starts.first == nil { skip(to: seen, .junk) }
            return false
        }
        if !endFrame(checksum.mark, isCertain: true) {
            if let found = starts.takeWaiting() { report(found) }
            if let first = starts.first { skip(to: first, .damaged) }
            skip(to: end, starts.first == nil ? .junk : .truncated)
            starts.removeAll()
        }
        return false
    }

    /// Reports the frame that ends at the current place, where the checksum has this mark; returns false if no frame
    /// ends there for certain.
    private mutating func endFrame(_ mark: UInt16, isCertain: Bool) -> Bool {
        let found = starts.take(endingAt: seen, mark, isCertain: isCertain)
        for frame in found { report(frame) }
        return isCertain && !found.isEmpty
    }

    private mutating func report(_ found: FLACFrameStarts.Found) {
        let header = found.header
        guard let info = FLACStreamInfo(header, known: known) else { return }
        skip(to: found.offset, .damaged)
        if hasFrames, let event = breach(before: header, of: info) { events.append(event) }
        if announced != info.format {
            announced = info.format
            events.append(.format(info.format))
        }
        (known, nextNumber, hasFrames, lostBytes) = (info, header.nextNumber, true, 0)
        let range = buffer.pass(Int(found.end - found.offset))
        var frame = Frame(range: range, offset: found.offset, samples: header.samples)
        frame.place = StatedPlace(sample: header.number * (header.isVariable ? 1 : Int64(info.largestBlock)))
        events.append(.frame(frame))
    }

    /// The event to report before the frame with this header; nil if the frame follows the one before it.
    private func breach(before header: FLACFrameHeader, of info: FLACStreamInfo) -> FramerEvent? {
        guard let nextNumber, known == info else { return lostBytes > 0 ? .discontinuity : nil }
        guard header.number >= nextNumber else { return .discontinuity }
        guard header.number > nextNumber else { return nil }
        return .missing(samples: (header.number - nextNumber) * (header.isVariable ? 1 : Int64(info.largestBlock)))
    }

    /// Whether a frame, a head or a tag may begin with this byte.
    private static func mayStand(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xFF, UInt8(ascii: "f"), UInt8(ascii: "I"), UInt8(ascii: "T"), UInt8(ascii: "A"): true
        default: false
        }
    }

    /// The number of bytes that suffice to recognize a frame header, a stream head or a tag.
    private static var lookahead: Int64 { 32 }
    /// The length limit of a tag in bytes. A longer tag between frames is taken for damage; at the beginning of a
    /// stream it is skipped.
    private static var longestTag: Int { 512 << 10 }
}

// MARK: - Metadata

extension FLACFramer {
    /// Handles the metadata block that is due; returns false if more bytes are needed.
    private mutating func takeBlock() -> Bool {
        switch buffer.withUnread({ FLACBlock($0) }) {
        case nil: return endInHead()
        case .invalid:
            (phase, seen) = (.frames, buffer.offset)
        case .streamInfo(let info, let length, let isLast):
            known = info
            phase = .skipping(length, .container, isLast: isLast)
        case .comments(let length, let isLast):
            phase = .skipping(length, .header(length), isLast: isLast)
            comments = (VorbisCommentReader(), FLACBlock.headerLength)
        case .other(let length, let isLast):
            phase = .skipping(length, .header(length), isLast: isLast)
        }
        return true
    }

    private mutating func skipOn(_ count: Int, _ reason: SkipReason, isLast: Bool) -> Bool {
        let part = min(count, buffer.count)
        guard part > 0 || count == 0 else { return false }
        readComments(part)
        skip(to: buffer.offset + Int64(part), reason)
        if part < count {
            phase = .skipping(count - part, reason, isLast: isLast)
        } else {
            phase = isLast ? .frames : .blocks
            seen = buffer.offset
            endComments()
        }
        return true
    }

    /// Reads the next `count` bytes as comments, if they belong to a comment block.
    private mutating func readComments(_ count: Int) {
        guard var comments = comments.take() else { return }
        let skipped = min(comments.headerLeft, count)
        comments.headerLeft -= skipped
        buffer.withUnread { comments.reader.take(Array($0[skipped..<count])[...]) }
        self.comments = comments
    }

    private mutating func endComments() {
        guard let title = comments.take().map({ $0.reader.comments.streamTitle ?? "" }), title != self.title else {
            return
        }
        self.title = title
        events.append(.title(title))
    }

    private mutating func endInHead() -> Bool {
        if isFinal { skip(to: end, .truncated) }
        return false
    }
}
