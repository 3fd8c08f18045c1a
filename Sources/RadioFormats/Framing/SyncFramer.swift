// SPDX-License-Identifier: MIT

/// Finds frames that begin with a ``SyncHeader``.
///
/// The framer locks on three consecutive headers of one format, each at the place that the previous one states. Then it
/// holds each frame until the next header stands at its end. A damaged header costs its frame and at most the one
/// before it. If no header stands where one is due, the framer locks again on the next two consecutive headers of the
/// old format, or three of a new one.
///
/// Tags between frames, and frames that describe a file, are skipped; the title of an ID3v2 tag is reported. At most 64
/// KiB of a tag are held.
struct SyncFramer<Header: SyncHeader> {
    private var buffer = FramingBuffer()
    private var judge = SyncJudge<Header>()
    private var isFinal = false
    private(set) var holdsFrame = false
    private var isReleasing = false
    private var hasFrames = false
    /// See ``Framer/infoFrame``.
    private(set) var infoFrame: MPEGInfoFrame?
    private var reservoir = BitReservoir()
    private var announced: StreamFormat?
    private var announcedKey: UInt32?
    /// Whether two facts about the next frame were already reported: that it does not follow the frame before it, and
    /// that its checksum is wrong.
    private var (hasToldBreak, hasToldChecksum) = (false, false)
    /// How many bytes must be at hand, from the front, before the judge is consulted again.
    private var neededBytes = 0

    private var tagBytesLeft = 0
    /// The part of the tag received so far.
    private var tag: [UInt8]?
    private var title: String?

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.append(bytes)
        (holdsFrame, isReleasing) = (false, false)
    }

    mutating func compact() { buffer.compact() }

    mutating func releaseHeld() {
        (holdsFrame, isReleasing) = (false, holdsFrame)
    }

    mutating func finish() {
        isFinal = true
        holdsFrame = false
    }

    func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withBytes(frame.range, body)
    }

    mutating func next() -> FramerEvent? {
        while true {
            if tagBytesLeft > 0 { return skipTag() }
            if let title = title.take() { return .title(title) }
            guard buffer.count >= neededBytes || isFinal else { return nil }
            neededBytes = 0
            if let frame = nextPlainFrame() { return .frame(frame) }
            // Copies, so that the closure need not capture (and retain) the framer.
            let (judge, isFinal, hasFrames) = (judge, isFinal, hasFrames)
            let verdict = buffer.withUnread {
                judge.verdict(on: SyncLookahead(bytes: $0, isFinal: isFinal, hasFrames: hasFrames))
            }
            switch verdict {
            case .wait(let needed):
                neededBytes = needed
                return nil
            case .unconfirmed(let header):
                holdsFrame = !isReleasing
                return isReleasing ? give(header) : nil
            case .frame(let header):
                return give(header)
            case .lock(let header):
                self.judge.lock(on: header)
            case .tag(let length):
                tagBytesLeft = length
                tag = []
            case .junk(let count, let due):
                self.judge.lose(count, due: due)
                return .skipped(bytes: buffer.pass(count).count, .junk)
            case .truncated:
                return .skipped(bytes: buffer.pass(buffer.count).count, .truncated)
            }
        }
    }

    // MARK: - Events

    /// Returns the frame at the front if it is plain: it follows the last frame in the same format, a header of its
    /// kind follows it, its content fits, and no other event comes first. Nearly all frames are plain. Returns nil for
    /// any other frame, on which ``next()`` decides. For a plain frame, ``next()`` returns the same frame in twice as
    /// many steps.
    mutating func nextPlainFrame() -> Frame? {
        guard tagBytesLeft == 0, title == nil, !hasToldBreak, !hasToldChecksum, let last = judge.unbroken,
            last.formatKey == announcedKey
        else { return nil }
        let (judge, reservoir) = (judge, reservoir)
        let plain = buffer.withUnread { bytes -> (Header, MainData?)? in
            guard bytes.count >= Header.byteCount, let header = last.next(bytes),
                !judge.mayReachOver(header, after: last), bytes.count >= header.length + Header.byteCount,
                header.next(UnsafeRawBufferPointer(rebasing: bytes[header.length...])) != nil
            else { return nil }
            let frame = UnsafeRawBufferPointer(rebasing: bytes[..<header.length])
            guard !header.isInfo(frame), !header.hasWrongChecksum(frame) else { return nil }
            let mainData = header.mainData(of: frame)
            return reservoir.isSuspect(mainData) ? nil : (header, mainData)
        }
        guard let (header, mainData) = plain else { return nil }
        return pass(header, mainData, reliable: mainData)
    }

    /// Returns the events that precede the frame at the front, then the frame itself: one event per call. Nil if more
    /// bytes are needed to show whether frames are missing before that frame.
    private mutating func give(_ header: Header) -> FramerEvent? {
        let (isInfo, isChecksumWrong, mainData) = buffer.withUnread { bytes in
            let frame = UnsafeRawBufferPointer(rebasing: bytes[..<header.length])
            return (header.isInfo(frame), header.hasWrongChecksum(frame), header.mainData(of: frame))
        }
        if isInfo {
            if !hasFrames, infoFrame == nil { infoFrame = buffer.withUnread { MPEGInfoFrame($0) } }
            judge.lock(on: header)
            reservoir.reset()
            return .skipped(bytes: buffer.pass(header.length).count, .infoFrame)
        }
        let isNewFormat = announcedKey != header.formatKey
        // If bytes were lost, the bytes around them may be damaged as well.
        if judge.lostBytes > 0 || isNewFormat { reservoir = BitReservoir() }
        let reliable = isChecksumWrong ? nil : mainData
        if hasFrames, !hasToldBreak, judge.lostBytes > 0 {
            hasToldBreak = true
            return .discontinuity
        }
        if !hasToldBreak, let reliable, reservoir.isSuspect(reliable) {
            switch isMissing(before: header, reliable) {
            case .yes:
                hasToldBreak = true
                return .missing(samples: nil)
            case .unknown where !isReleasing:
                holdsFrame = true
                return nil
            case .no, .unknown: break
            }
        }
        if isNewFormat {
            announcedKey = header.formatKey
            let format = buffer.withUnread { header.format(of: $0) }
            if announced != format {
                announced = format
                return .format(format)
            }
        }
        if isChecksumWrong, !hasToldChecksum {
            hasToldChecksum = true
            return .wrongChecksum
        }
        return .frame(pass(header, mainData, reliable: reliable))
    }

    /// Passes the frame at the front and returns it. `reliable` is the frame's main data, or nil if the checksum is
    /// wrong.
    private mutating func pass(_ header: Header, _ mainData: MainData?, reliable: MainData?) -> Frame {
        (hasToldBreak, hasToldChecksum, hasFrames) = (false, false, true)
        neededBytes = 0
        judge.gave(header)
        reservoir.take(reliable)
        let offset = buffer.offset
        return Frame(
            range: buffer.pass(header.length), offset: offset, samples: header.samples,
            backReference: mainData?.reachesBack ?? 0, bitRate: header.bitRate)
    }

    /// Whether frames are missing before the frame at the front, which is suspect. The frame after it decides this.
    private func isMissing(before header: Header, _ mainData: MainData) -> SyncAnswer<Void> {
        let (isFinal, hasFrames) = (isFinal, hasFrames)
        return buffer.withUnread { bytes in
            let ahead = SyncLookahead<Header>(bytes: bytes, isFinal: isFinal, hasFrames: hasFrames)
            switch ahead.step(at: header.length, after: header) {
            case .frame(let next):
                let end = min(header.length + next.length, bytes.count)
                let frame = UnsafeRawBufferPointer(rebasing: bytes[header.length..<end])
                if let behind = next.mainData(of: frame), !next.hasWrongChecksum(frame) {
                    return mainData.adjoins(behind) ? .yes(()) : .no
                }
                return isFinal || frame.count == next.length ? .no : .unknown(needed: header.length + next.length)
            case .unknown(let needed): return .unknown(needed: needed)
            case .tag, .end, .nothing: return .no
            }
        }
    }

    private mutating func skipTag() -> FramerEvent? {
        let count = min(tagBytesLeft, buffer.count)
        guard count > 0 else { return nil }
        tagBytesLeft -= count
        reservoir.reset()
        let range = buffer.pass(count)
        if var tag = tag.take() {
            buffer.withBytes(range) { tag.append(contentsOf: $0.prefix(Self.longestReadTag - tag.count)) }
            if tagBytesLeft == 0 {
                title = ID3v2Tag(parsing: tag)?.streamTitle.map { TitleText.cleaned($0) }
            } else {
                self.tag = tag
            }
        }
        return .skipped(bytes: count, .tag)
    }

    /// How many bytes of a tag are kept for reading: a longer tag contains pictures, and titles come before them.
    private static var longestReadTag: Int { 64 << 10 }
}
