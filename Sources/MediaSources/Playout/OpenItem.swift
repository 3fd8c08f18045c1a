// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// A media item that is being read: bytes in, what its framer says out. Confined to the thread of its ``Playout``.
struct OpenItem {
    enum Step {
        /// There may be events now.
        case read
        case ended
        /// It cannot be played, or no further, and why.
        case unplayable(String)
        /// It cannot be read any further, and why; another time it may be.
        case broken(String)
    }

    private let reader: any MediaReader
    /// Whether it is no file.
    private let isStream: Bool
    private var recognizer: StreamRecognizer
    private var framer: (any Framer)?
    /// Bytes that were read before the format was known.
    private var prefix: [UInt8] = []
    private var isRead = false
    private var failure: Failure?
    private var idle = IdleBytes()

    private static let readSize = 16 * 1024

    init(_ item: MediaItem, _ stop: StopFlag?) throws(Failure) {
        reader = try item.open(stop)
        isStream = item.isStream
        recognizer = StreamRecognizer(contentType: nil, url: item.name)
    }

    /// Reads once, and blocks for as long as that takes; for when ``next()`` has nothing. Where reading fails, what was
    /// read comes first.
    mutating func read() -> Step {
        if idle.areTooMany { return .unplayable("too much of it is no audio") }
        if isRead { return failure.map { .broken($0.message) } ?? .ended }
        do throws(Failure) {
            let hasMore = try reader.read(Self.readSize) { bytes in
                if framer == nil { prefix.append(contentsOf: bytes) } else { framer?.append(bytes) }
            }
            isRead = !hasMore
        } catch {
            (isRead, failure) = (true, error)
        }
        if framer == nil, let reason = recognize() {
            return failure.map { .broken($0.message) } ?? .unplayable(reason)
        }
        if isRead { framer?.finish() }
        return .read
    }

    /// What the framer has to say; nil where more has to be read.
    mutating func next() -> FramerEvent? {
        guard let event = framer?.next() else { return nil }
        idle.note(event)
        if case .title(let title) = event { return .title(TitleText.cleaned(title)) }
        return event
    }

    /// The bytes of a frame that ``next()`` returned last.
    func withBytes(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Void) {
        framer?.withBytes(of: frame, body)
    }

    /// Chooses the framer once there are bytes enough; returns why there is none.
    private mutating func recognize() -> String? {
        switch prefix.withUnsafeBytes({ recognizer.look(at: $0, isComplete: isRead) }) {
        case .undecided:
            return nil
        // What comes through a pipe may be recorded, too.
        case .audio(let container) where !container.isRelayed && !isStream:
            return "it is plain FLAC, which is not relayed"
        case .audio(let container):
            framer = container.makeFramer()
            prefix.withUnsafeBytes { framer?.append($0) }
            prefix = []
            return nil
        case .unsupported(let name):
            return "\(name) is not supported"
        case .playlist, .hls:
            return "it is a playlist"
        default:
            return prefix.isEmpty ? "it is empty" : "it is not audio that can be streamed"
        }
    }
}
