// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// A media item that is being read: turns its bytes into events of its framer. Confined to the thread of its
/// ``Playout``.
struct OpenItem {
    enum Step {
        /// There may be events now.
        case read
        case ended
        /// The item, or the rest of it, cannot be played, for this reason.
        case unplayable(String)
        /// The item cannot be read any further now, for this reason; it may be readable later.
        case broken(String)
    }

    /// See ``MediaReader/lastTitle``.
    var lastTitle: String? {
        let title = TitleText.repaired(reader.lastTitle ?? "")
        return title.isEmpty ? nil : title
    }

    private let reader: any MediaReader
    /// Whether the item is standard input or a pipe.
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

    /// Reads once, and blocks for as long as that takes. Call it when ``next()`` returns nil. A failure to read is
    /// returned only once the events of earlier bytes have been taken.
    mutating func read() -> Step {
        if idle.areTooMany { return .unplayable("too much of it is not audio") }
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

    /// The framer's next event; nil if more must be read.
    mutating func next() -> FramerEvent? {
        guard let event = framer?.next() else { return nil }
        idle.note(event)
        if case .title(let title) = event { return .title(TitleText.repaired(title)) }
        return event
    }

    /// See ``IdleBytes/takeAttachments()``.
    mutating func takeAttachments() -> Int64? { idle.takeAttachments() }

    /// Passes the bytes of the frame that ``next()`` returned last to `body`.
    func withBytes(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Void) {
        framer?.withBytes(of: frame, body)
    }

    /// Chooses the framer once there are enough bytes. Returns the reason if there is no framer for them.
    private mutating func recognize() -> String? {
        switch prefix.withUnsafeBytes({ recognizer.look(at: $0, isComplete: isRead) }) {
        case .undecided:
            return nil
        // FLAC from a pipe is accepted, because it may be for recording.
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
