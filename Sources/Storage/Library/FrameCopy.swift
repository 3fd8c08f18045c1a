// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Copies wanted frames of several MPEG, ADTS or FLAC files, one after the other, and nothing that lies between them.
///
/// Order of calls: for each file ``begin(_:at:)``, any number of ``append(_:into:)`` and one ``endFile(into:)``. A value,
/// bounded like its framer.
///
/// The output begins with the head that frames of the format need, if any, and in layer III with the main data that the
/// first frame needs from earlier frames. Files that need a different head are refused: a decoder would play their
/// frames as noise.
struct FrameCopy: ExcerptCopy {
    private(set) var frames: Int64 = 0
    /// The bytes of the copied frames.
    private(set) var bytes: Int64 = 0
    private(set) var samples: Int64 = 0
    /// The number of wanted frames that the sidecars count, but the files no longer contain.
    private(set) var missing: Int64 = 0

    /// Files need different heads.
    struct OtherHead: Error {}

    private var lead: FrameLead
    /// The number of samples to state in the head; 0 if unknown.
    private let length: Int64
    private let comments: [(String, String)]
    /// The format that the output's head states.
    private var headed: StreamFormat?
    /// The file between ``begin(_:)`` and ``endFile(into:)``; nil otherwise.
    private var current: Current?

    /// The file that is being read.
    private struct Current {
        var framer: any Framer
        var selection: FrameSelection
        /// The format of the following frames, until the output's head has been checked against it.
        var newFormat: StreamFormat?
        /// The mean length of a frame in bytes, to estimate how many frames the damaged bytes replaced.
        let frameLength: Int64
        /// The number of bytes since the last frame that belong to no frame.
        var damaged: Int64 = 0
    }

    /// `lead`: see ``Excerpt/lead``. `samples` and `comments`: for the head, if there is one.
    init(lead: Int, samples: Int64 = 0, comments: [(String, String)] = []) {
        self.lead = FrameLead(most: lead)
        self.comments = comments
        length = samples
    }

    /// Begins the next file, which is read from its frame `first` on.
    mutating func begin(_ part: Excerpt.Part, at first: Int64) {
        current = part.segment.sidecar.map { sidecar in
            Current(
                framer: sidecar.format.container.makeFramer(), selection: part.selection(from: first),
                frameLength: max(1, sidecar.bytes / max(1, sidecar.frames)))
        }
    }

    /// Takes the next bytes of the file, and appends wanted frames to `output`. Returns whether more bytes are wanted.
    mutating func append(_ input: [UInt8], into output: inout [UInt8]) throws(OtherHead) -> Bool {
        // The framer is moved out, because a framer with two owners copies its buffer.
        guard var file = current.take() else { return false }
        defer { current = file }
        input.withUnsafeBytes { file.framer.append($0) }
        try drain(&file, into: &output)
        return !file.selection.isOver
    }

    /// Ends the file.
    mutating func endFile(into output: inout [UInt8]) throws(OtherHead) {
        guard var file = current.take() else { return }
        file.framer.finish()
        try drain(&file, into: &output)
        if file.damaged > 0 || !file.selection.isOver { lead.breakOff() }
        file.selection.end()
        missing += file.selection.missing
    }

    private mutating func drain(_ file: inout Current, into output: inout [UInt8]) throws(OtherHead) {
        while !file.selection.isOver, let event = file.framer.next() {
            switch event {
            case .frame(let frame): try take(frame, of: &file, into: &output)
            case .format(let format): file.newFormat = format
            case .skipped(let count, .junk), .skipped(let count, .damaged): file.damaged += Int64(count)
            case .discontinuity, .missing: lead.breakOff()
            case .skipped, .title, .wrongChecksum: break
            }
        }
    }

    private mutating func take(
        _ frame: Frame, of file: inout Current, into output: inout [UInt8]
    ) throws(OtherHead) {
        file.selection.lose((file.damaged + file.frameLength / 2) / file.frameLength)
        if file.damaged > 0 { lead.breakOff() }
        file.damaged = 0
        guard file.selection.takeNext() else {
            return file.framer.withBytes(of: frame) { lead.remember($0) }
        }
        if let format = file.newFormat.take() { try putHead(for: format, into: &output) }
        if frames == 0 { output += lead.unit(before: frame)?.bytes ?? [] }
        file.framer.withBytes(of: frame) { output.append(contentsOf: $0) }
        frames += 1
        bytes += Int64(frame.range.count)
        samples = samples.addingSaturated(Int64(frame.samples))
    }

    /// Begins the output with the head that the format needs. Throws if the output has begun with a different head.
    private mutating func putHead(for format: StreamFormat, into output: inout [UInt8]) throws(OtherHead) {
        guard format != headed, var head = format.fileHead(comments: comments) else { return }
        guard headed == nil else { throw OtherHead() }
        headed = format
        head.samples = length
        output += head.bytes
    }
}

/// The last frames before the first wanted frame.
private struct FrameLead {
    private let most: Int
    private var tail: [[UInt8]] = []

    init(most: Int) { self.most = most }

    mutating func remember(_ frame: UnsafeRawBufferPointer) {
        guard most > 0 else { return }
        if tail.count == most { tail.removeFirst() }
        tail.append(Array(frame))
    }

    /// Drops the tail, because the next frame does not follow the last one.
    mutating func breakOff() { tail.removeAll() }

    /// The main data that `frame` needs from the remembered frames, as a unit with which a file can begin.
    func unit(before frame: Frame) -> SilentUnit? { SilentUnit(before: frame.backReference, of: tail) }
}
