// SPDX-License-Identifier: MIT

/// Finds out what can be known of a file without reading all of it: its head, behind any tags, and its tail.
///
/// A stepper: read what ``next()`` asks for and hand it to ``take(_:)``, until it asks for nothing more. A dozen reads
/// at most, of 256 KiB at most.
package struct FileInspection {
    private enum Phase {
        case head(FileRead)
        case tail(FileRead)
        case done
    }

    /// What is known so far; nil where no audio was found.
    package private(set) var facts: AudioFileFacts?

    private let container: Container
    private let size: Int64?
    private var phase: Phase
    private var readsLeft = 16
    private var head: any HeadInspection

    /// `size`: of the whole file, once all of it is there; nil where nobody knows.
    package init(_ container: Container, size: Int64?) {
        self.container = container
        self.size = size
        head =
            switch container {
            case .mpeg, .adts: FrameInspection(container)
            case .ogg: OggInspection()
            case .flac: FLACInspection()
            }
        phase = .head(FileRead(offset: 0, count: Self.chunk))
    }

    private static let chunk = 64 << 10

    /// What is to be read next; nil once ``facts`` are all there will be.
    package func next() -> FileRead? {
        switch phase {
        case .head(let read), .tail(let read): read
        case .done: nil
        }
    }

    /// What was read: fewer bytes than asked for where the file ends there.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) {
        readsLeft -= 1
        switch phase {
        case .done: break
        case .head(let read): takeHead(bytes, read)
        case .tail(let read): takeTail(bytes, read)
        }
        if readsLeft <= 0 { phase = .done }
    }

    private mutating func takeHead(_ bytes: UnsafeRawBufferPointer, _ read: FileRead) {
        // Pictures in front of the audio may be larger than the audio.
        if !head.hasBegun, container != .ogg, case .tag(let length) = TagSkipper.look(bytes), length > 0 {
            return goOn(at: read.offset.addingSaturated(Int64(length)))
        }
        switch head.take(bytes, at: read.offset, isEnd: bytes.count < read.count) {
        case .read(let offset): goOn(at: offset)
        case .nothing: phase = .done
        case .found(var found):
            found.size = size
            found.audioEnd = size
            facts = found
            guard let size, let wanted = head.tail, size > read.offset else {
                phase = .done
                return
            }
            phase = .tail(Self.tail(wanted, of: size))
        }
    }

    private mutating func goOn(at offset: Int64) {
        if let size, offset >= size {
            phase = .done
        } else {
            phase = .head(FileRead(offset: offset, count: Self.chunk))
        }
    }

    private mutating func takeTail(_ bytes: UnsafeRawBufferPointer, _ read: FileRead) {
        // Where the end of the file is not there yet, nothing that stands before it tells.
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
