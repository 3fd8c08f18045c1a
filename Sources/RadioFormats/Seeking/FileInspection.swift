// SPDX-License-Identifier: MIT

/// Inspects a file without reading all of it: its head, after any tags, its tail, and, if reads are cheap, some places
/// between them.
///
/// A stepper: read what ``next()`` requests and pass it to ``take(_:)``, until ``next()`` returns nil. It requests at
/// most 16 reads of at most 256 KiB each, one of which may have 16 MiB (the movie box of MP4), and
/// ``RateSamples/count`` reads between head and tail.
package struct FileInspection {
    private enum Phase {
        case head(FileRead)
        case tail(FileRead)
        case middle(FileRead)
        case done
    }

    /// The facts so far; nil if no audio has been found.
    package private(set) var facts: AudioFileFacts?
    /// Why no audio can be taken out of a wrapper; nil if it can, or if that is not known.
    package private(set) var problem: DemuxProblem?

    /// Whether tags may stand in front of what is inspected.
    private let mayHaveTags: Bool
    private let size: Int64?
    private var phase: Phase
    private var readsLeft = 16
    private var head: any HeadInspection
    private let isThorough: Bool
    private var samples: RateSamples?

    /// Begins the inspection of a file. `size` is the size of the complete file in bytes; nil if unknown. `isThorough`:
    /// whether to read more than seeking needs, because reads are cheap.
    package init(_ container: Container, size: Int64?, isThorough: Bool = false) {
        let head: any HeadInspection =
            switch container {
            case .mpeg, .adts: FrameInspection(container)
            case .ogg: OggInspection()
            case .flac: FLACInspection()
            }
        self.init(head, mayHaveTags: container != .ogg, size: size, isThorough: isThorough)
    }

    /// As above, for a file of this content. Nil if it is not audio, or if its ends reveal nothing about it.
    package init?(_ content: ContentGuess, size: Int64?, isThorough: Bool = false) {
        switch content {
        case .audio(let container): self.init(container, size: size, isThorough: isThorough)
        case .wrapped(.mp4): self.init(MP4Inspection(), mayHaveTags: false, size: size, isThorough: isThorough)
        case .wrapped(.pcm):
            self.init(PCMInspection(size: size), mayHaveTags: false, size: size, isThorough: isThorough)
        default: return nil
        }
    }

    private init(_ head: any HeadInspection, mayHaveTags: Bool, size: Int64?, isThorough: Bool) {
        self.head = head
        self.mayHaveTags = mayHaveTags
        self.size = size
        self.isThorough = isThorough
        phase = .head(FileRead(offset: 0, count: Self.chunk))
    }

    private static let chunk = 64 << 10

    /// The next read; nil once ``facts`` are complete.
    package func next() -> FileRead? {
        switch phase {
        case .head(let read), .tail(let read), .middle(let read): read
        case .done: nil
        }
    }

    /// Takes the bytes read. If they are fewer than requested, the file ends after them.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) {
        if case .middle = phase { return takeMiddle(bytes) }
        readsLeft -= 1
        switch phase {
        case .done, .middle: break
        case .head(let read): takeHead(bytes, read)
        case .tail(let read): takeTail(bytes, read)
        }
        if readsLeft <= 0 { phase = .done }
        if case .done = phase { sampleMiddle() }
    }

    /// Begins to sample the bit rate if the file's head does not tell it.
    private mutating func sampleMiddle() {
        guard isThorough, samples == nil, let facts, let plan = RateSamples(facts) else { return }
        samples = plan
        phase = plan.next.map { .middle($0) } ?? .done
    }

    private mutating func takeMiddle(_ bytes: UnsafeRawBufferPointer) {
        samples?.take(bytes)
        if let read = samples?.next { return phase = .middle(read) }
        phase = .done
        if let facts { self.facts = samples?.apply(to: facts) }
    }

    private mutating func takeHead(_ bytes: UnsafeRawBufferPointer, _ read: FileRead) {
        // Tags are skipped without being read, because their pictures may be larger than the audio.
        if !head.hasBegun, mayHaveTags, case .tag(let length) = TagSkipper.look(bytes), length > 0 {
            return proceed(at: read.offset.addingSaturated(Int64(length)))
        }
        switch head.take(bytes, at: read.offset, isEnd: bytes.count < read.count) {
        case .read(let offset): proceed(at: offset)
        case .readAll(let read): phase = .head(read)
        case .nothing: phase = .done
        case .refused(let problem): (self.problem, phase) = (problem, .done)
        case .found(var found):
            found.size = size
            found.audioEnd = size
            facts = found
            guard let size, let wanted = head.tail(isThorough: isThorough), size > read.offset else {
                phase = .done
                return
            }
            phase = .tail(Self.tail(wanted, of: size))
        }
    }

    private mutating func proceed(at offset: Int64) {
        if let size, offset >= size {
            phase = .done
        } else {
            phase = .head(FileRead(offset: offset, count: Self.chunk))
        }
    }

    private mutating func takeTail(_ bytes: UnsafeRawBufferPointer, _ read: FileRead) {
        // If the end of the file is not loaded yet, no earlier part can replace it, so the inspection ends without it.
        guard var found = facts, let size, bytes.count == read.count else { return phase = .done }
        if head.takeTail(bytes, at: read.offset, &found) || read.offset == 0 || read.count >= Self.longestTail {
            phase = .done
        } else {
            phase = .tail(Self.tail(min(4 * read.count, Self.longestTail), of: size))
        }
        facts = found
    }

    private static let longestTail = 256 << 10

    private static func tail(_ count: Int, of size: Int64) -> FileRead {
        let offset = max(0, size - Int64(count))
        return FileRead(offset: offset, count: Int(size - offset))
    }
}
