// SPDX-License-Identifier: MIT

import TestTools

/// Compares recorded bytes with the programme that was sent, frame by frame.
///
/// Shares no code with the product: it identifies frames by their content, and reads headers with a deliberately simple
/// parser of its own. All frames of the source must differ, which is checked, so each recorded frame has exactly one
/// place in the source. A source with equal frames, such as silence or a jingle, must be allowed explicitly, and is
/// compared as a sequence. Bytes that are neither a frame of the source, a tag, an Info frame nor Ogg framing are
/// reported.
package struct FrameChecker: Sendable {
    /// How a file contains frames.
    package enum Container: Sendable {
        case mpegAudio, adts, ogg
        /// FLAC outside Ogg.
        case flac
    }

    package let container: Container
    /// The frames (Ogg: audio packets) of the source, in order.
    package let frames: [ArraySlice<UInt8>]
    private let sequence: FrameSequence
    /// Whether all frames differ. If they do, the number of a frame's kind is also the frame's place.
    private let isStrict: Bool

    /// Indexes the frames of a source.
    ///
    /// - Throws: ``SetupError`` if the source has no frames, has bytes that are not frames, or has equal frames that
    ///   are not allowed.
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

    /// Indexes the frames of a broadcast, which may have equal frames.
    package init(_ programme: Broadcast) {
        container = programme.container
        frames = programme.frames.map(\.bytes)
        sequence = FrameSequence(frames)
        isStrict = sequence.firstEqual == nil
    }

    /// Checks one recording, given as consecutive files.
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

    /// Checks MPEG audio or ADTS of a client that disconnected at any point: the last frame may be incomplete.
    package func check(cutOff bytes: [UInt8]) -> FrameReport {
        var report = FrameReport()
        walk(bytes, mayEndInFrame: true, into: &report)
        return judged(report)
    }

    /// The bytes of a range of frames of the source, for MPEG audio and ADTS: the expected content of a pure recording.
    package func stretch(_ places: ClosedRange<Int>) -> [UInt8] { Array(frames[places].joined()) }

    /// Derives the results from the report. The report's places hold the kinds of the frames before this call, and
    /// their places after it.
    private func judged(_ report: FrameReport) -> FrameReport {
        var report = report
        if isStrict { report.judgeOrder() } else { report.judge(by: sequence.align(report.places)) }
        return report
    }

    /// Parses a file of bare frames. Each position has a frame of the source, a tag, an Info frame, a foreign frame, or
    /// one byte of junk.
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

    /// The kind and length of the frame at the start of `bytes`; nil if the source does not have that frame.
    private func knownFrame(_ bytes: ArraySlice<UInt8>) -> (kind: Int, length: Int)? {
        guard let length = SimpleFrames.length(bytes, container), length <= bytes.count else { return nil }
        return sequence.kind(of: bytes.prefix(length)).map { ($0, length) }
    }

    /// The length of a complete frame that the source does not have. A frame counts as complete only if the end, a tag
    /// or another header follows it; otherwise half a frame and the start of the next would count as one frame.
    private func foreignFrameLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let length = SimpleFrames.length(bytes, container), length <= bytes.count else { return nil }
        let next = bytes.dropFirst(length)
        let isWhole = next.isEmpty || SimpleFrames.tagLength(next) != nil || SimpleFrames.length(next, container) != nil
        return isWhole ? length : nil
    }

    /// Whether `bytes` is the start of an incomplete frame.
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
