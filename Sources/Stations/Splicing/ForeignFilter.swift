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
    /// Called when the programme is back, with what the audio before it was.
    var onStretch: ((Stretch) -> Void)?
    private let feed: ProgrammeFeed
    private let reactor: any Reactor
    /// Frames that may have been heard before a gap, with what stands before them.
    private var held = HeldParts()
    /// One for each gap, the oldest first.
    private var lookouts: [Lookout] = [] {
        didSet { isLooking = !lookouts.isEmpty }
    }
    /// Whether there are lookouts. Stored, because it is read for each frame.
    private var isLooking = false

    fileprivate struct Lookout {
        var watch: ProgrammeWatch
        var bookmark: ProgrammeFeed.Bookmark
        /// The first frame after the gap, and when it came.
        var start: Int64
        var at: WallInstant
        /// How long the audio is that is missing at the gap, as far as time tells.
        var missing: Duration
        /// How long the audio since then plays, the held frames included.
        var played: Duration = .zero
    }

    private static let mostLookouts = 4
    /// The programme may come back later than the span's length explains by this much: the edge may be late besides.
    private static let tolerance = Duration.seconds(5)
    /// Where more than this is missing at the gap, the programme does not go on from there.
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

    /// The next frame follows a gap; `bookmark` is the end of the programme before it, and `missing` is how long the
    /// lost audio is, as far as time tells.
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
        take(
            .missing(samples: Int64((length.inSeconds * rate).rounded())), UnsafeRawBufferPointer(start: nil, count: 0))
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
        held = HeldParts()
    }
}

extension ForeignFilter: StreamPartTaker {
    func take(_ part: StreamPart, _ bytes: UnsafeRawBufferPointer) {
        guard isLooking else { return feed.take(part, bytes) }
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
        // A repeat that is over has ended with the frame before this one.
        if lookouts.longestRepeat == nil { tell(repeated, framesSince: 1) }
        pass(held.size > Self.mostHeld ? held.frames : held.frames - wanted)
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

    /// Frames were heard before a gap already, and nothing says that the station did not mean to send them twice. They
    /// are the newest ones, but for as many as have come since.
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
    /// Of what the lookouts follow, the most that is there twice.
    fileprivate var longestRepeat: FrameRun? {
        compactMap(\.watch.repeated).max { $0.frames < $1.frames }
    }
}
