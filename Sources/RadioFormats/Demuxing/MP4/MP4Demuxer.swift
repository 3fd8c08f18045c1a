// SPDX-License-Identifier: MIT

/// Takes AAC and MPEG audio out of MP4 (ISO/IEC 14496-12), progressive or fragmented: the first audio track of a
/// supported kind. AAC gets ADTS headers. The bytes of samples pass through; only boxes that describe them are held.
package struct MP4Demuxer: Demuxer {
    private enum State {
        /// A box's head is incomplete.
        case head
        /// A box is kept until so many bytes of its content have come.
        case keeping(MP4BoxType, Int)
        /// So many bytes belong to nothing that matters.
        case skipping(Int)
        /// So many bytes may contain samples.
        case media(Int)
    }

    private var state = State.head
    /// The bytes of an incomplete head, or of the content of a box.
    private var held: [UInt8] = []
    /// The offset of the next byte, and that of the box which contains it.
    private var position = 0
    private var boxStart = 0

    private var index: MP4Index?
    /// The samples that the movie box lists, from the next run on; and the runs of the last fragment, the first last.
    private var listed: MP4SampleTable?
    private var runs: [MP4Run] = []
    private var run: MP4Run?
    /// The sample that comes next, or has begun, with the bytes of it that are missing.
    private var sample: (offset: Int, left: Int, hasBegun: Bool)?
    private var container: Container?
    private var hasAudio = false

    /// The most bytes of a box that is kept. Movie boxes contain cover pictures.
    static let mostKept = 16 << 20
    private static let longestMessage = 1 << 20
    /// The bytes of a tag with a title, besides the title.
    private static let tagRoom = 64

    package init() {}

    /// Takes the audio out of the rest of a file, whose first byte is that of a sample.
    package init(_ start: MP4Start) {
        index = start.index
        guard let found = try? start.index.samples.from(start.sample) else { return }
        (run, listed, position) = (found.run, found.rest, found.run.offset)
        state = .media(.max)
    }

    package mutating func push(
        _ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void
    ) throws(DemuxProblem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch state {
            case .head:
                held.append(rest.removeFirst())
                position += 1
                try lookAtHead(take)
            case .keeping(let type, let left):
                let piece = rest.prefix(left)
                held.append(contentsOf: piece)
                pass(piece.count, of: &rest)
                state = .keeping(type, left - piece.count)
                if left == piece.count { try takeBox(type, take) }
            case .skipping(let left):
                let count = min(left, rest.count)
                pass(count, of: &rest)
                state = left == count ? .head : .skipping(left - count)
            case .media(let left):
                let piece = rest.prefix(left)
                try deliver(UnsafeRawBufferPointer(rebasing: piece), take)
                rest = rest.dropFirst(piece.count)
                state = .media(left - piece.count)
                if left == piece.count { endMedia(take) }
            }
        }
    }

    package mutating func finish(_ take: (Demuxed) -> Void) throws(DemuxProblem) {
        guard hasAudio else { throw .noAudio }
    }

    /// A box that has no end ends with its segment. What is missing of it is told with the next fragment.
    package mutating func segmentBegins() { (state, held) = (.head, []) }

    package mutating func restart() {
        (state, held, listed, runs, run, sample) = (.head, [], nil, [], nil, nil)
    }

    private mutating func pass(_ count: Int, of rest: inout Slice<UnsafeRawBufferPointer>) {
        rest = rest.dropFirst(count)
        position += count
    }
}

// MARK: - Boxes

extension MP4Demuxer {
    private mutating func lookAtHead(_ take: (Demuxed) -> Void) throws(DemuxProblem) {
        guard let head = try MP4BoxHead(held[...]) else { return }
        boxStart = position - held.count
        held.removeAll(keepingCapacity: true)
        guard head.type.isPlausible else { throw .malformed("there is no box where one must begin") }
        let content = head.content ?? .max
        switch head.type {
        case "moov", "moof":
            guard content <= Self.mostKept else { throw .malformed("the box \(head.type) is too long") }
            state = .keeping(head.type, content)
        case "emsg" where content <= Self.longestMessage: state = .keeping(head.type, content)
        case "mdat" where content > 0:
            guard index != nil else { throw .indexBehindAudio }
            state = .media(content)
        default: state = content > 0 ? .skipping(content) : .head
        }
        if case .keeping(let type, 0) = state { try takeBox(type, take) }
    }

    private mutating func takeBox(_ type: MP4BoxType, _ take: (Demuxed) -> Void) throws(DemuxProblem) {
        let fields = MP4Fields(held[...])
        held = []
        state = .head
        switch type {
        case "moov":
            let found = try MP4Index(fields)
            (index, listed, runs, run, sample) = (found, found.samples, [], nil, nil)
            guard let title = found.title else { break }
            let tag = ID3v2Tag(frames: [.text(id: "TIT2", title)])
            tag.encoded(size: title.utf8.count + Self.tagRoom).withUnsafeBytes { take(.tag($0)) }
        case "moof":
            guard let index else { throw .malformed("a fragment comes before the movie box") }
            if sample != nil || !runs.isEmpty || run?.isEmpty == false { take(.lost) }
            listed = nil
            (runs, run, sample) = (try MP4Fragment(fields, at: boxStart, index).runs.reversed(), nil, nil)
        default:
            if let tag = try MP4EventMessage.tag(fields) { tag.withUnsafeBytes { take(.tag($0)) } }
        }
    }

    /// Ends a box with samples. A sample that is not complete there is lost.
    private mutating func endMedia(_ take: (Demuxed) -> Void) {
        state = .head
        guard let sample, sample.hasBegun else { return }
        self.sample = nil
        take(.lost)
    }
}

// MARK: - Samples

extension MP4Demuxer {
    /// Passes the samples in the next bytes.
    private mutating func deliver(_ bytes: UnsafeRawBufferPointer, _ take: (Demuxed) -> Void) throws(DemuxProblem) {
        let end = position + bytes.count
        defer { position = end }
        while position < end {
            if sample == nil { sample = try nextSample() }
            guard let next = sample else { return }
            guard next.hasBegun || next.offset >= position else { throw .malformed("a sample lies before its place") }
            guard next.hasBegun || next.offset < end else { return }
            let start = next.hasBegun ? position : next.offset
            if !next.hasBegun { try begin(next.left, take) }
            let count = min(next.left, end - start)
            let first = bytes.count - (end - start)
            take(.audio(UnsafeRawBufferPointer(rebasing: bytes[first..<first + count])))
            position = start + count
            sample = count < next.left ? (next.offset, next.left - count, true) : nil
        }
    }

    private mutating func nextSample() throws(DemuxProblem) -> (offset: Int, left: Int, hasBegun: Bool)? {
        while true {
            while let next = try run?.next() {
                if next.size > 0 { return (next.offset, next.size, false) }
            }
            run = try listed?.next() ?? runs.popLast()
            if run == nil { return nil }
        }
    }

    /// Yields what comes before a sample of this size.
    private mutating func begin(_ size: Int, _ take: (Demuxed) -> Void) throws(DemuxProblem) {
        guard let codec = index?.codec else { return }
        let head = try codec.head(ofSize: size)
        hasAudio = true
        if container != codec.container {
            container = codec.container
            take(.container(codec.container))
        }
        if let time = run?.time {
            run?.time = nil
            take(.time(time))
        }
        withUnsafeBytes(of: head.value.bigEndian) {
            if head.count > 0 { take(.audio(UnsafeRawBufferPointer(rebasing: $0.suffix(head.count)))) }
        }
    }
}
