// SPDX-License-Identifier: MIT

/// Holds recorded bytes against the programme that was sent, frame by frame.
///
/// Shares no code with the product: it knows frames by their content, and reads headers with a parser of its own that
/// is deliberately simple. All frames of the source are different, which is checked, so every recorded frame has
/// exactly one place in it; a source with equal frames, such as silence or a jingle, is compared as a sequence, if it
/// is allowed to have them. Whatever is neither a frame of the source, a tag, an Info frame nor Ogg's framing is
/// reported.
package struct FrameChecker: Sendable {
    /// How frames lie in a file.
    package enum Container: Sendable {
        case mpegAudio, adts, ogg
        /// FLAC outside Ogg.
        case flac
    }

    package let container: Container
    /// The frames (Ogg: audio packets) of the source, in order.
    package let frames: [ArraySlice<UInt8>]
    private let sequence: FrameSequence
    /// Whether each frame has its one place, which makes its kind.
    private let isStrict: Bool

    /// Indexes a source.
    ///
    /// - Throws: ``SetupError`` where the source has bytes that are not frames, or two equal frames that it may not
    ///   have.
    package init(source: [UInt8], container: Container, allowingEqualFrames: Bool = false) throws {
        self.container = container
        switch container {
        case .mpegAudio, .adts, .flac:
            frames = try SimpleFrames.split(source, container)
        case .ogg:
            let ogg = try SimpleOgg(source)
            guard ogg.problems.isEmpty else { throw SetupError("the source is damaged: \(ogg.problems)") }
            frames = ogg.packets.map { $0[...] }
        }
        guard !frames.isEmpty else { throw SetupError("the source has no frame") }
        sequence = FrameSequence(frames)
        isStrict = !allowingEqualFrames
        if isStrict, let equal = sequence.firstEqual {
            throw SetupError("frames \(equal[0]) and \(equal[1]) of the source are equal: it is no reference")
        }
    }

    /// Indexes what is on air; it may hold equal frames.
    package init(_ programme: Broadcast) {
        container = programme.container
        frames = programme.frames.map(\.bytes)
        sequence = FrameSequence(frames)
        isStrict = sequence.firstEqual == nil
    }

    /// Checks one recording, which may lie in several files that follow each other.
    package func check(_ files: [[UInt8]]) -> FrameReport {
        var report = FrameReport()
        for (number, file) in files.enumerated() {
            switch container {
            case .mpegAudio, .adts, .flac: walk(file, into: &report)
            case .ogg: readOgg(file, number, into: &report)
            }
        }
        return judged(report)
    }

    /// Checks a recording in one file.
    package func check(_ file: [UInt8]) -> FrameReport { check([file]) }

    /// Checks what a client has of MPEG audio or ADTS that left at any moment: the last frame need not be whole.
    package func check(cutOff bytes: [UInt8]) -> FrameReport {
        var report = FrameReport()
        walk(bytes, mayEndInFrame: true, into: &report)
        return judged(report)
    }

    /// The bytes of a stretch of the source, for MPEG audio and ADTS: what a pure recording of it must be.
    package func stretch(_ places: ClosedRange<Int>) -> [UInt8] {
        Array(frames[places].joined())
    }

    /// Fills in what follows from the places, which so far are kinds.
    private func judged(_ report: FrameReport) -> FrameReport {
        var report = report
        if isStrict { report.judgeOrder() } else { report.judge(by: sequence.align(report.places)) }
        return report
    }

    /// Goes through a file of bare frames: at each place there is a frame of the source, a tag, an Info frame, a frame
    /// that the source does not have, or a byte of junk.
    private func walk(_ file: [UInt8], mayEndInFrame: Bool = false, into report: inout FrameReport) {
        var rest = file[...]
        while !rest.isEmpty {
            let length: Int
            if let frame = knownFrame(rest) {
                report.places.append(frame.kind)
                length = frame.length
            } else if let tag = SimpleFrames.tagLength(rest) {
                length = min(tag, rest.count)
                report.tagBytes += length
            } else if let foreign = foreignFrameLength(rest) {
                length = foreign
                if SimpleFrames.isInfoFrame(rest.prefix(length)) {
                    report.infoFrames += 1
                } else {
                    report.places.append(nil)
                }
            } else if mayEndInFrame, isUnfinished(rest) {
                length = rest.count
            } else {
                length = 1
                report.junkBytes += 1
            }
            rest = rest.dropFirst(length)
        }
    }

    /// The kind and the length of the frame at the start of `bytes`, if the source has it.
    private func knownFrame(_ bytes: ArraySlice<UInt8>) -> (kind: Int, length: Int)? {
        guard let length = SimpleFrames.length(bytes, container), length <= bytes.count else { return nil }
        return sequence.kind(of: bytes.prefix(length)).map { ($0, length) }
    }

    /// The length of a whole frame that is not of the source: the header must be followed by the end, by a tag or by
    /// another header, or half a frame would be taken for a whole one with the beginning of the next.
    private func foreignFrameLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let length = SimpleFrames.length(bytes, container), length <= bytes.count else { return nil }
        let next = bytes.dropFirst(length)
        let isWhole = next.isEmpty || SimpleFrames.tagLength(next) != nil || SimpleFrames.length(next, container) != nil
        return isWhole ? length : nil
    }

    /// Whether all that is left is the beginning of a frame.
    private func isUnfinished(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.count < 4 { return bytes.first == 0xFF }
        return SimpleFrames.length(bytes, container).map { $0 > bytes.count } ?? false
    }

    private func readOgg(_ file: [UInt8], _ number: Int, into report: inout FrameReport) {
        do {
            let ogg = try SimpleOgg(file)
            report.problems += ogg.problems.map { "file \(number): \($0)" }
            report.places += ogg.packets.map { sequence.kind(of: $0[...]) }
        } catch {
            report.problems.append("file \(number): \(error)")
        }
    }
}
