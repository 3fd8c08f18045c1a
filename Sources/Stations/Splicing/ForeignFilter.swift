// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore

/// After a gap, looks in the new audio for the place at which the programme was lost (``ProgrammeWatch``). When that
/// place comes after all, what was delivered since the gap was foreign, and frames that were heard before it are
/// dropped. But only where the time agrees: nothing is missing at the gap, and a server that inserts twenty seconds is
/// late by twenty seconds from then on. Elsewhere everything stays, and what is there twice is told. Confined to the
/// loop's thread.
///
/// Without a gap in the last 90 s it lets everything through.
final class ForeignFilter {
    /// Called with a stretch that turned out to be foreign or repeated, once it is over.
    var onStretch: ((Stretch) -> Void)?
    private let feed: ProgrammeFeed
    private let reactor: any Reactor
    /// Frames that may have been heard before a gap, with what stands before them.
    private var held = StreamParts()
    /// One for each gap, the oldest first.
    private var lookouts: [Lookout] = []

    fileprivate struct Lookout {
        var watch: ProgrammeWatch
        var bookmark: ProgrammeFeed.Bookmark
        /// The first frame after the gap, and when it came.
        var start: Int64
        var at: WallInstant
        /// The length of the gap, judged by time.
        var missing: Duration
        /// How long the audio since then plays, the held frames included.
        var played: Duration = .zero
    }

    private static let mostLookouts = 4
    /// The programme may come back later than the span's length explains by this much: the edge may be late besides.
    private static let tolerance = Duration.seconds(5)
    /// After a longer gap the programme does not go on where it stopped.
    private static let mostMissing = Duration.milliseconds(1_500)
    /// More than two minutes of what stations send.
    private static let mostHeld = 8 << 20

    init(feed: ProgrammeFeed, reactor: any Reactor) {
        self.feed = feed
        self.reactor = reactor
    }

    /// How long the held frames play.
    var duration: Duration { held.duration }

    /// All frames of a delivery have been taken: lookouts that are over end, and without any left the held frames go
    /// on.
    func arrived(_ now: MonotonicInstant) {
        guard !lookouts.isEmpty else { return }
        let over = lookouts.filter { $0.watch.isOver(now) }
        lookouts.removeAll { $0.watch.isOver(now) }
        if lookouts.isEmpty { pass(held.frames) }
        tell(over.longestRepeat)
    }

    /// The next frame follows a gap. `bookmark` is the end of the programme before it; `missing` is the length of the
    /// gap, judged by time.
    func watch(
        for bookmark: ProgrammeFeed.Bookmark, missing: Duration?, from now: MonotonicInstant, _ wall: WallInstant
    ) {
        if lookouts.count == Self.mostLookouts { tell(lookouts.removeFirst().watch.repeated) }
        lookouts.append(
            Lookout(
                watch: ProgrammeWatch(after: bookmark.heard.memory, now: now), bookmark: bookmark,
                start: feed.position.frames, at: feed.edge ?? wall, missing: missing ?? .zero))
    }

    /// Audio of this length is missing before the next frame, though its connection held.
    func miss(_ length: Duration) {
        let rate = Double(feed.sampleRate ?? 0)
        take(.missing(samples: Int64((length.inSeconds * rate).rounded())))
    }

    /// Lets the held frames go on: the next frame does not follow them.
    func release() {
        pass(held.frames)
    }

    /// The station is over.
    func end() {
        tell(lookouts.longestRepeat)
        release()
        lookouts = []
    }

    /// Drops the held frames, which will come again: the next frame follows the last one that went through.
    func forget() {
        let forgotten = FrameRun(frames: held.frames, length: held.duration)
        for index in lookouts.indices {
            lookouts[index].played -= forgotten.length
            lookouts[index].watch.forget(forgotten)
        }
        held = StreamParts()
    }
}

extension ForeignFilter: StreamPartTaker {
    func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) {
        guard !lookouts.isEmpty else { return feed.take(part, bytes) }
        guard case .frame(let facts) = part, let mark = facts.mark else {
            return held.isEmpty ? feed.take(part, bytes) : held.append(part, bytes)
        }
        held.append(part, bytes)
        for index in lookouts.indices { lookouts[index].played += mark.duration }
        var wanted = 0
        let repeated = lookouts.longestRepeat
        for index in lookouts.indices {
            let verdict = lookouts[index].watch.add(mark)
            guard isInTime(lookouts[index]) else { continue }
            switch verdict {
            case .hold(let count): wanted = max(wanted, count)
            case .returned(let count): return goOn(lookouts[index], heard: count)
            }
        }
        // The repeat, if there was one, ended with the frame before this one.
        if lookouts.longestRepeat == nil { tell(repeated, framesSince: 1) }
        pass(held.size > Self.mostHeld ? held.frames : held.frames - wanted)
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        guard !lookouts.isEmpty else { return feed.take(batch, bytes) }
        batch.forEach(in: bytes) { take(.frame($0), $1) }
    }

    /// Lets the oldest held frames go on.
    private func pass(_ count: Int) {
        guard count > 0 else { return }
        // The taker may call back into the station, and so into this filter.
        held.prefix(count).forEach { feed.take($0, $1) }
    }

    /// Whether the length of what came in between explains how late the programme is back. A programme that is later
    /// than that repeats itself (a loop), and nothing in it is foreign.
    private func isInTime(_ lookout: Lookout) -> Bool {
        guard lookout.missing <= Self.mostMissing else { return false }
        guard let tail = lookout.bookmark.heard.tail else { return true }
        return reactor.now - tail <= lookout.watch.strange + Self.tolerance
    }

    /// What was delivered since the gap is foreign, and the next frame goes on from where the programme was lost.
    private func goOn(_ lookout: Lookout, heard count: Int) {
        pass(held.frames - count)
        lookouts = []
        let length = lookout.played - held.duration
        held.drop(held.frames)
        held.prefix(0).forEach { feed.take($0, $1) }
        let (now, wall) = reactor.readClocks()
        let foreign = Stretch(
            .foreign, frames: lookout.start..<feed.position.frames, at: lookout.at, length: length)
        feed.goOn(from: lookout.bookmark, after: foreign, now, wall)
        onStretch?(foreign)
    }

    /// Reports frames that repeat what was heard before a gap. They are kept, because the station may have meant to
    /// send them twice. `framesSince` is the number of frames added after them.
    private func tell(_ repeated: FrameRun?, framesSince: Int = 0) {
        guard let repeated, repeated.frames > 0 else { return }
        pass(held.frames - framesSince)
        let end = feed.position.frames
        let stretch = Stretch(
            .repeated, frames: end - Int64(repeated.frames)..<end, at: (feed.edge ?? reactor.wallNow) - repeated.length,
            length: repeated.length)
        feed.mark(repeated: stretch)
        onStretch?(stretch)
    }
}

extension [ForeignFilter.Lookout] {
    /// The longest repeat that any of the lookouts follows.
    fileprivate var longestRepeat: FrameRun? {
        lazy.compactMap(\.watch.repeated).max { $0.frames < $1.frames }
    }
}
