// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

/// A media item that is being read: bytes in, what its framer says out. Confined to the loop's thread.
struct OpenItem {
    enum Step {
        case event(FramerEvent)
        /// Bytes were read that held nothing yet.
        case nothing
        case ended
        /// It cannot be played, and why.
        case unplayable(String)
    }

    private let reader: any MediaReader
    private let recognizer: StreamRecognizer
    private var framer: (any Framer)?
    /// Bytes that were read before the format was known.
    private var prefix: [UInt8] = []
    private var isRead = false

    private static let readSize = 16 * 1024

    init(_ item: MediaItem) throws(Failure) {
        reader = try item.open()
        recognizer = StreamRecognizer(contentType: nil, url: item.name)
    }

    /// The next thing of the item; one read at the most.
    mutating func next() -> Step {
        if let event = framer?.next() { return .event(event) }
        guard !isRead else { return .ended }
        do throws(Failure) {
            return try readMore()
        } catch {
            return .unplayable(error.description)
        }
    }

    /// The bytes of a frame that ``next()`` returned last.
    func withBytes(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Void) {
        framer?.withBytes(of: frame, body)
    }

    private mutating func readMore() throws(Failure) -> Step {
        let hasMore = try reader.read(Self.readSize) { bytes in
            if framer == nil { prefix.append(contentsOf: bytes) } else { framer?.append(bytes) }
        }
        isRead = !hasMore
        if framer == nil, let reason = recognize() { return .unplayable(reason) }
        if isRead { framer?.finish() }
        return .nothing
    }

    /// Chooses the framer once there are bytes enough; returns why there is none.
    private mutating func recognize() -> String? {
        switch prefix.withUnsafeBytes({ recognizer.guess($0, isComplete: isRead) }) {
        case .undecided:
            return nil
        case .audio(let kind):
            framer = kind.makeFramer()
            prefix.withUnsafeBytes { framer?.append($0) }
            prefix = []
            return nil
        case .unsupported(let name):
            return "\(name) is not supported"
        default:
            return "it is not audio that can be streamed"
        }
    }
}
