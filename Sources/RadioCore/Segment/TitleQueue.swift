// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// Titles that wait for the frame at which they apply: the frame they were sent with, shifted by `--title-offset`.
struct TitleQueue: Sendable {
    /// The first frame to which a title applies.
    private enum Due: Sendable {
        case frame(Int64)
        /// The first frame that starts at or after this sample.
        case sample(Int64)
    }

    /// The maximum number of waiting titles. No serious station sends more; beyond this number, the oldest title is
    /// dropped.
    private static let limit = 1000

    private let offset: Duration
    private var waiting: [(title: StreamTitle, due: Due)] = []
    /// The current title; nil until there is one.
    private(set) var current: String?
    /// Whether the station has sent any title with text.
    private(set) var hasText = false

    init(offset: Duration) {
        self.offset = offset
    }

    /// Whether no title has arrived yet, not even an empty one.
    var isUnknown: Bool { current == nil && waiting.isEmpty }

    /// Takes a title that the station sent.
    mutating func append(_ title: StreamTitle, rate: Int) {
        hasText = hasText || !title.text.isEmpty
        if waiting.count >= Self.limit { waiting.removeFirst() }
        let due: Due =
            offset == .zero
            ? .frame(title.position.frames)
            : .sample(title.position.samples.addingSaturated(Self.samples(offset, rate: rate)))
        waiting.append((title, due))
    }

    /// Makes the first title apply from the start: it names the song that was playing when the connection began.
    mutating func pullFirst() {
        if current == nil, !waiting.isEmpty { waiting[0].due = .frame(0) }
    }

    /// The new title at this frame; nil if the title does not change. No title and an empty title count as the same.
    func change(at position: Position) -> StreamTitle? {
        // Of several titles for one frame, the last counts: the others never applied to any frame.
        guard let last = waiting.last(where: { Self.isDue($0.due, at: position) }), last.title.text != current ?? ""
        else { return nil }
        var title = last.title
        title.position = position
        return title
    }

    /// Makes the title that is due at this frame the current one.
    mutating func pass(_ position: Position) {
        guard let last = waiting.lastIndex(where: { Self.isDue($0.due, at: position) }) else { return }
        current = waiting[last].title.text
        waiting.removeFirst(last + 1)
    }

    /// The number of frames in the chunk before the next title.
    func framesBeforeNext(in chunk: Chunk) -> Int {
        switch waiting.first?.due {
        case nil: chunk.frames.count
        case .frame(let frame)?: Int(clamping: frame - chunk.position.frames)
        case .sample(let sample)?:
            sample >= chunk.endSample ? chunk.frames.count : chunk.firstFrame { start, _ in start >= sample }
        }
    }

    /// Adapts the waiting titles to a format in which samples are counted anew. The sample `first` of the new count, at
    /// `rate`, follows the sample `last` of the old count, at `oldRate`.
    mutating func restart(at first: Int64, rate: Int, after last: Int64, oldRate: Int) {
        for index in waiting.indices {
            guard case .sample(let sample) = waiting[index].due else { continue }
            let rest = Duration.samples(max(0, sample.addingSaturated(-last)), at: oldRate)
            waiting[index].due = .sample(first.addingSaturated(Self.samples(rest, rate: rate)))
        }
    }

    static func samples(_ duration: Duration, rate: Int) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let rest = attoseconds / 1_000_000_000 * Int64(rate) / 1_000_000_000
        return seconds.multipliedSaturated(by: Int64(rate)).addingSaturated(rest)
    }

    private static func isDue(_ due: Due, at position: Position) -> Bool {
        switch due {
        case .frame(let frame): frame <= position.frames
        case .sample(let sample): sample <= position.samples
        }
    }
}
