// SPDX-License-Identifier: MIT

import Instants
import RadioFormats

/// Titles on their way to the frame that they are put at: the one they were sent with, moved by `--title-offset`.
struct TitleQueue: Sendable {
    /// The first frame that a title holds for.
    private enum Due: Sendable {
        case frame(Int64)
        /// The first frame that starts at this sample or after it.
        case sample(Int64)
    }

    /// The most titles on their way at once: a station that sends more means none of them.
    private static let limit = 1000

    private let offset: Duration
    private var waiting: [(title: StreamTitle, due: Due)] = []
    /// The title that applies now; nil until there is one.
    private(set) var current: String?
    /// Whether any title with text in it was sent.
    private(set) var hasText = false

    init(offset: Duration) {
        self.offset = offset
    }

    /// Whether none has come yet, not even one without text.
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

    /// The first title holds from the start: it names the song that was under way when we came.
    mutating func pullFirst() {
        if current == nil, !waiting.isEmpty { waiting[0].due = .frame(0) }
    }

    /// The title that changes at this frame, if one does. None and an empty one are the same.
    func change(at position: Position) -> StreamTitle? {
        // Of several for one frame the last counts: the others never applied to any frame.
        guard let last = waiting.last(where: { Self.isDue($0.due, at: position) }), last.title.text != current ?? ""
        else { return nil }
        var title = last.title
        title.position = position
        return title
    }

    /// Makes the title that is due at this frame current.
    mutating func pass(_ position: Position) {
        guard let last = waiting.lastIndex(where: { Self.isDue($0.due, at: position) }) else { return }
        current = waiting[last].title.text
        waiting.removeFirst(last + 1)
    }

    /// How many frames of the chunk come before the next title.
    func framesBeforeNext(in chunk: Chunk) -> Int {
        switch waiting.first?.due {
        case nil: chunk.frames.count
        case .frame(let frame)?: Int(clamping: frame - chunk.position.frames)
        case .sample(let sample)?:
            sample >= chunk.endSample ? chunk.frames.count : chunk.firstFrame { start, _ in start >= sample }
        }
    }

    /// Samples start a new count at `first` after `last` of the old one, at another rate.
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
