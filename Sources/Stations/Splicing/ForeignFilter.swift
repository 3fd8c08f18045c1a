// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import RadioFormats

/// Finds the programme again after a gap that was really an insertion, such as an advert.
///
/// After each gap it looks in the new audio for the place at which the programme was lost (``ProgrammeWatch``). If the
/// programme resumes from that place after all, everything delivered since the gap was foreign, and frames already
/// delivered before the gap are dropped. This applies only if the timing agrees: nothing may be missing at the gap, and
/// a server that inserts twenty seconds must be twenty seconds late from then on. Otherwise all frames are kept, and
/// repeated frames are reported.
///
/// Lets everything through unless there was a gap in the last 90 s.
final class ForeignFilter {
    /// Called with a foreign or repeated stretch once it is over.
    var onStretch: ((Stretch) -> Void)?
    private let inlet: HubInlet
    private let reactor: any Reactor
    /// Frames that may repeat audio from before a gap, with the parts before them.
    private var held = StreamParts()
    /// One lookout per gap, oldest first.
    private var lookouts: [Lookout] = []

    fileprivate struct Lookout {
        var watch: ProgrammeWatch
        var bookmark: HubInlet.Bookmark
        /// The first frame after the gap, and the time at which it arrived.
        var start: Int64
        var at: WallInstant
        /// The length of the gap according to the clock; nil if unknown.
        var missing: Duration?
        /// The playing time of the audio since the gap, including the held frames.
        var played: Duration = .zero
    }

    private static let mostLookouts = 4
    /// How much later the programme may return than the inserted audio explains: the server itself may be late, too.
    private static let tolerance = Duration.seconds(5)
    /// After a longer gap, the programme does not continue where it stopped.
    private static let mostMissing = Duration.milliseconds(1_500)
    /// The maximum size of the held frames, which is more than two minutes of a typical station.
    private static let mostHeld = 8 << 20

    init(inlet: HubInlet, reactor: any Reactor) {
        self.inlet = inlet
        self.reactor = reactor
    }

    /// The playing time of the held frames.
    var duration: Duration { held.duration }

    /// Call after all frames of a delivery. Removes expired lookouts, and releases the held frames if no lookout is
    /// left.
    func arrived(_ now: MonotonicInstant) {
        guard !lookouts.isEmpty else { return }
        let over = lookouts.filter { $0.watch.isOver(now) }
        lookouts.removeAll { $0.watch.isOver(now) }
        if lookouts.isEmpty { pass(held.frames) }
        tell(over.longestRepeat)
    }

    /// Starts a lookout: the next frame follows a gap. `bookmark` is the end of the programme before the gap; `missing`
    /// is the length of the gap according to the clock.
    func watch(for bookmark: HubInlet.Bookmark, missing: Duration?, _ clocks: ClockReading) {
        if lookouts.count == Self.mostLookouts { tell(lookouts.removeFirst().watch.repeated) }
        lookouts.append(
            Lookout(
                watch: ProgrammeWatch(after: bookmark.heard.memory, now: clocks.now), bookmark: bookmark,
                start: inlet.position.frames, at: inlet.edge ?? clocks.wall, missing: missing))
    }

    /// Reports that this much audio is missing before the next frame, although the connection stayed open.
    func miss(_ length: Duration) {
        let rate = Double(inlet.format?.sampleRate ?? 0)
        take(.missing(samples: Int64((length.inSeconds * rate).rounded())))
    }

    /// Releases the held frames: the next frame does not follow them.
    func release() {
        pass(held.frames)
    }

    /// Releases everything at the end of the station.
    func end() {
        tell(lookouts.longestRepeat)
        release()
        lookouts = []
    }

    /// Drops the held frames, because they will be sent again: the next frame follows the last released frame.
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
    func take(_ part: StreamPart) {
        if lookouts.isEmpty || held.isEmpty { inlet.take(part) } else { held.append(part) }
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        guard !lookouts.isEmpty else { return inlet.take(batch, bytes) }
        batch.forEach(in: bytes) { take($0, $1) }
    }

    private func take(_ facts: FrameFacts, _ bytes: UnsafeRawBufferPointer) {
        let frame = FrameBatch(facts, length: bytes.count)
        guard !lookouts.isEmpty, let mark = facts.mark else {
            return lookouts.isEmpty || held.isEmpty ? inlet.take(frame, bytes) : held.append(frame, bytes)
        }
        held.append(frame, bytes)
        for index in lookouts.indices { lookouts[index].played += mark.duration }
        var wanted = 0
        let repeated = lookouts.longestRepeat
        for index in lookouts.indices {
            let verdict = lookouts[index].watch.add(mark)
            guard isInTime(lookouts[index]) else { continue }
            switch verdict {
            case .hold(let count): wanted = max(wanted, count)
            case .returned(let count): return proceed(lookouts[index], heard: count)
            }
        }
        // Any repeat ended with the frame before this one.
        if lookouts.longestRepeat == nil { tell(repeated, framesSince: 1) }
        pass(held.size > Self.mostHeld ? held.frames : held.frames - wanted)
    }

    /// Releases the oldest held frames.
    private func pass(_ count: Int) {
        guard count > 0 else { return }
        // Taken out first: the taker may call back into the station, and so into this filter.
        held.prefix(count).pass(to: inlet)
    }

    /// Whether the inserted audio explains how late the programme returned. If the programme is later than the inserted
    /// audio explains, the programme repeats itself (a loop), and none of the audio is foreign.
    private func isInTime(_ lookout: Lookout) -> Bool {
        guard let missing = lookout.missing, missing <= Self.mostMissing else { return false }
        guard let tail = lookout.bookmark.heard.tail else { return true }
        return reactor.now - tail <= lookout.watch.strange + Self.tolerance
    }

    /// Continues the programme where it was lost: everything delivered since the gap was foreign.
    private func proceed(_ lookout: Lookout, heard count: Int) {
        pass(held.frames - count)
        lookouts = []
        let length = lookout.played - held.duration
        held.drop(held.frames)
        held.prefix(0).pass(to: inlet)
        let foreign = Stretch(
            .foreign, frames: lookout.start..<inlet.position.frames, at: lookout.at, length: length)
        inlet.report(foreign)
        inlet.proceed(from: lookout.bookmark, reactor.readClocks())
        onStretch?(foreign)
    }

    /// Reports frames that repeat audio from before a gap. They are kept, because the station may have meant to repeat
    /// them. `framesSince` is the number of frames added after them.
    private func tell(_ repeated: FrameRun?, framesSince: Int = 0) {
        guard let repeated, repeated.frames > 0 else { return }
        pass(held.frames - framesSince)
        let end = inlet.position.frames
        let stretch = Stretch(
            .repeated, frames: end - Int64(repeated.frames)..<end,
            at: (inlet.edge ?? reactor.wallNow) - repeated.length,
            length: repeated.length)
        inlet.report(stretch)
        onStretch?(stretch)
    }
}

extension [ForeignFilter.Lookout] {
    /// The longest repeat that any of the lookouts is following.
    fileprivate var longestRepeat: FrameRun? {
        lazy.compactMap(\.watch.repeated).max { $0.frames < $1.frames }
    }
}
