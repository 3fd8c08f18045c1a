// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// Finds the bytes of an excerpt in MPEG, ADTS or FLAC files, one after the other, or copies them, and leaves out what
/// lies between the frames. A value with one owner, bounded like its framer.
///
/// Order of calls: for each file ``begin(_:number:at:)``, any number of ``append(_:)`` and ``skip(to:)``, and one
/// ``endFile()``; ``finish()`` at the end. A copy is taken after each call.
///
/// The bytes begin with the head that frames of the format need, if any, and in layer III with the main data that the
/// first frame needs from earlier frames. Files that need a different head are refused: a decoder would play their
/// frames as noise.
struct ExcerptLayout: ~Copyable {
    private var bytes = ExcerptBytes()
    /// The copy since it was last taken; nil if the bytes are found, not copied.
    private var copy: [UInt8]?
    private var lead: FrameLead
    private let title: String?
    private let samples: Int64
    /// The format whose head the bytes begin with, and the head.
    private var headed: (format: StreamFormat, head: any FileHead)?
    /// The file between ``begin(_:number:at:)`` and ``endFile()``; nil otherwise.
    private var current: Current?

    /// A file needs another head than the files before it.
    struct OtherHead: Error {}

    /// The file that is being read.
    private struct Current {
        let number: Int
        let sidecar: Sidecar
        var framer: PartFramer?
        /// The byte at which the framer began.
        var base: Int64
        var selection: FrameSelection
        /// The format of the following frames, until the head has been checked against it.
        var newFormat: StreamFormat?
        /// The mean length of a frame in bytes, to estimate how many frames the damaged bytes replaced.
        let frameLength: Int64
        /// The number of bytes since the last frame that belong to no frame.
        var damaged: Int64 = 0
        /// The end of the last wanted frame, and the length of that frame in samples.
        var last: (end: Int64, samples: Int)?
        var needsOtherHead = false
    }

    /// `samples`: what the head of a copy says; nil if the bytes are found, not copied. `title`: for the head, if there
    /// is one.
    init(_ excerpt: Excerpt, copying samples: Int64? = nil, title: String? = nil) {
        lead = FrameLead(most: excerpt.lead)
        copy = samples.map { _ in [] }
        (self.samples, self.title) = (samples ?? 0, title)
    }

    mutating func takeCopy() -> [UInt8] {
        defer { copy?.removeAll() }
        return copy ?? []
    }

    /// Begins the next file, which is read from a place on.
    mutating func begin(_ part: Excerpt.Part, number: Int, at place: FrameIndex.Place) {
        current = part.segment.sidecar.map { sidecar in
            Current(
                number: number, sidecar: sidecar, framer: PartFramer(sidecar.format.container), base: place.byte,
                selection: part.selection(from: place.frame),
                frameLength: max(1, sidecar.bytes / max(1, sidecar.frames)))
        }
    }

    /// Takes the next bytes of the file. Returns whether more bytes are wanted.
    mutating func append(_ input: [UInt8]) throws(OtherHead) -> Bool {
        try advance { framer, take in input.withUnsafeBytes { framer.push($0, take) } }
        return current?.selection.isOver == false
    }

    /// Takes all frames up to a place further on, unread; the next bytes are those from there on. Returns false if it
    /// is not certain that nothing but wanted frames lies before the place.
    mutating func skip(to place: FrameIndex.Place) -> Bool {
        guard var file = current, let (end, length) = file.last, file.damaged == 0, place.byte > end, length > 0,
            file.sidecar.samples.quotientAndRemainder(dividingBy: Int64(length)) == (file.sidecar.frames, 0),
            let count = file.selection.take(upTo: place.frame)
        else { return false }
        bytes.append(end..<place.byte, of: file.number)
        bytes.totals.frames += count
        bytes.totals.bytes += place.byte - end
        bytes.totals.samples = bytes.totals.samples.addingSaturated(count * Int64(length))
        (file.framer, file.base) = (PartFramer(file.sidecar.format.container), place.byte)
        file.last?.end = place.byte
        current = file
        return true
    }

    /// Ends the file.
    mutating func endFile() throws(OtherHead) {
        try advance { $0.finish($1) }
        guard var file = current.take() else { return }
        if file.damaged > 0 || !file.selection.isOver { lead.breakOff() }
        file.selection.end()
        bytes.totals.missing += file.selection.missing
    }

    /// The totals of all files, and their bytes unless they were copied.
    consuming func finish() -> ExcerptBytes {
        if copy == nil, var head = headed?.head {
            head.samples = bytes.totals.samples
            bytes.pieces[0] = .bytes(head.bytes)
        }
        return bytes
    }

    private mutating func advance(
        _ work: (inout PartFramer, (PartFramer.Output) -> Bool) -> Void
    ) throws(OtherHead) {
        // The file is moved out, because a framer with two owners copies its buffer.
        guard var file = current.take(), var framer = file.framer.take() else { return }
        work(&framer) { output in
            switch output {
            case .frames(let batch, let bytes):
                for index in 0..<batch.count where !file.selection.isOver && !file.needsOtherHead {
                    take(batch[index], UnsafeRawBufferPointer(rebasing: bytes[batch.range(of: index)]), of: &file)
                }
            case .part(.format(let format)): file.newFormat = format
            case .part(.resync), .part(.missing): lead.breakOff()
            case .skipped(let count, .junk), .skipped(let count, .damaged): file.damaged += Int64(count)
            case .part(.title), .skipped, .wrongChecksum: break
            }
            return !file.selection.isOver && !file.needsOtherHead
        }
        file.framer = framer
        current = file
        if file.needsOtherHead { throw OtherHead() }
    }

    private mutating func take(_ facts: FrameFacts, _ frame: UnsafeRawBufferPointer, of file: inout Current) {
        file.selection.lose((file.damaged + file.frameLength / 2) / file.frameLength)
        if file.damaged > 0 { lead.breakOff() }
        file.damaged = 0
        guard file.selection.takeNext() else { return lead.remember(frame) }
        if let format = file.newFormat.take(), !putHead(for: format) {
            file.needsOtherHead = true
            return
        }
        if bytes.totals.frames == 0, let unit = lead.unit(before: facts) {
            put(unit.bytes)
            bytes.totals.lead = Int64(unit.frames)
        }
        let start = file.base + facts.offset
        let end = start + Int64(frame.count)
        if copy == nil { bytes.append(start..<end, of: file.number) } else { copy?.append(contentsOf: frame) }
        bytes.totals.frames += 1
        bytes.totals.bytes += Int64(frame.count)
        bytes.totals.samples = bytes.totals.samples.addingSaturated(Int64(facts.samples))
        file.last = (end, facts.samples)
    }

    /// Begins the bytes with the head that the format needs. Returns false if they have begun with a different head.
    private mutating func putHead(for format: StreamFormat) -> Bool {
        let comments = title.map { [("TITLE", $0)] } ?? []
        guard format != headed?.format, var head = format.fileHead(comments: comments) else { return true }
        guard headed == nil else { return false }
        head.samples = samples
        headed = (format, head)
        put(head.bytes)
        return true
    }

    private mutating func put(_ bytes: [UInt8]) {
        if copy == nil { self.bytes.pieces.append(.bytes(bytes)) } else { copy? += bytes }
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

    /// The main data that a frame needs from the remembered frames, as a unit with which a file can begin.
    func unit(before frame: FrameFacts) -> SilentUnit? { SilentUnit(before: frame.backReference, of: tail) }
}
