// SPDX-License-Identifier: MIT

import Platform
import RadioCore
import RadioFormats

/// A media item that is being read from its start. Confined to the thread of its ``Playout``.
struct PlayoutItem {
    enum Step {
        /// What was read; perhaps nothing.
        case parts(StreamParts)
        case ended
        /// The item, or the rest of it, cannot be played, for this reason.
        case unplayable(String)
        /// The item cannot be read any further now, for this reason; it may be readable later.
        case broken(String)
    }

    private let reader: any MediaReader
    /// Whether the item is standard input or a pipe.
    private let isStream: Bool
    private var parts: ItemParts
    private var isRead = false
    private var failure: Failure?

    private static let readSize = 16 * 1024

    init(_ item: MediaItem, _ stop: StopFlag?) throws(Failure) {
        reader = try item.open(stop)
        isStream = item.isStream
        // The movie box of a file may be behind its audio.
        let facts = try (reader as? FileReader)?.movieFacts(item.name)
        let start = facts.flatMap { $0.start(at: $0.firstPlace) }
        if let facts, start != nil { (reader as? FileReader)?.skip(to: facts.firstPlace.offset) }
        let title = TitleText.repaired(facts?.title ?? reader.lastTitle ?? "")
        parts = ItemParts(
            start.map { PartFramer($0) } ?? PartFramer(name: item.name), title: title.isEmpty ? item.title : title)
    }

    /// Reads once, and blocks for as long as that takes. A failure to read is returned only once the frames of earlier
    /// bytes have been.
    mutating func read() -> Step {
        if parts.lacksAudio { return .unplayable("too much of it is not audio") }
        if isRead { return failure.map { .broken($0.message) } ?? .ended }
        var found = StreamParts()
        do throws(Failure) {
            isRead = try !reader.read(Self.readSize) { found = parts.push($0) }
        } catch {
            (isRead, failure) = (true, error)
        }
        if isRead { found.append(parts.finish()) }
        guard let refusal else { return .parts(found) }
        return failure.map { .broken($0.message) } ?? .unplayable(refusal)
    }

    /// Why the item is not played; nil if it is.
    private var refusal: String? {
        switch parts.content {
        case .undecided, .wrapped: nil
        // FLAC from a pipe is accepted, because it may be for recording.
        case .audio(let container):
            container.isRelayed || isStream ? nil : "it is FLAC or PCM, which is not relayed"
        case .unsupported(let name): "\(name) is not supported"
        case .playlist, .hls: "it is a playlist"
        case .html, .json, .xml, .text, .unknown:
            parts.isEmpty ? "it is empty" : "it is not audio that can be streamed"
        }
    }

    /// See ``ItemParts/takeAttachments()``.
    mutating func takeAttachments() -> Int64? { parts.takeAttachments() }
}
