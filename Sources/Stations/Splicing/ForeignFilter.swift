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
    /// Compares the frames since the newest gap with those before it; nil if there was none lately.
    private var watch: ProgrammeWatch?
    /// The gaps at which nothing is missing, and before which the programme may resume.
    private var insertions: [Insertion] = []

    private struct Insertion {
        /// The end of the programme before the gap.
        var bookmark: HubInlet.Bookmark
        /// The first frame after the gap, its programme time, and when it arrived.
        var start: Int64
        var media: Duration
        var at: WallInstant
        /// The playing time of the frames since the gap that were not delivered before it.
        var strange = Duration.zero
    }

    private static let mostInsertions = 4
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

    /// Call after all frames of a delivery. Ends the watch, and releases the held frames, once the gap is long past.
    func arrived(_ now: MonotonicInstant) {
        if watch?.isOver(now) == true { end() }
    }

    /// Starts a watch: the next frame follows a gap. `bookmark` is the end of the programme before the gap; `missing`
    /// is the length of the gap according to the clock, nil if unknown.
    func watch(for bookmark: HubInlet.Bookmark, missing: Duration?, _ clocks: ClockReading) {
        tell(watch?.repeated)
        insertions.removeAll { !bookmark.continues($0.bookmark) }
        watch = ProgrammeWatch(after: bookmark.heard.memory, now: clocks.now)
        guard let missing, missing <= Self.mostMissing else { return }
        if insertions.count == Self.mostInsertions { insertions.removeFirst() }
        insertions.append(
            Insertion(
                bookmark: bookmark, start: inlet.position.frames, media: inlet.end, at: inlet.edge ?? clocks.wall))
    }

    /// Releases the held frames: the next frame does not follow them.
    func release() {
        pass(held.frames)
    }

    /// Releases everything, and ends the watch.
    func end() {
        tell(watch?.repeated)
        release()
        (watch, insertions) = (nil, [])
    }

    /// Drops the held frames, because they will be sent again: the next frame follows the last released frame.
    func forget() {
        if !held.isEmpty { watch?.restart() }
        held = StreamParts()
    }
}

extension ForeignFilter: StreamPartTaker {
    func take(_ part: StreamPart) {
        if held.isEmpty { inlet.take(part) } else { held.append(part) }
    }

    func take(_ batch: FrameBatch, _ bytes: UnsafeRawBufferPointer) {
        guard watch != nil else { return inlet.take(batch, bytes) }
        batch.forEach(in: bytes) { take($0, $1) }
    }

    private func take(_ facts: FrameFacts, _ bytes: UnsafeRawBufferPointer) {
        let frame = FrameBatch(facts, length: bytes.count)
        let repeated = watch?.repeated
        guard let mark = facts.mark, let verdict = watch?.add(mark) else {
            return held.isEmpty ? inlet.take(frame, bytes) : held.append(frame, bytes)
        }
        held.append(frame, bytes)
        if watch?.isNewestKnown == false {
            for index in insertions.indices { insertions[index].strange += mark.duration }
        }
        var wanted = 0
        switch verdict {
        case .hold(let count):
            if insertions.contains(where: isInTime) { wanted = count }
        case .returned(let count, let heard, let new):
            let insertion = insertions.last { $0.bookmark.heard.memory.count == count }
            if let insertion, isInTime(insertion) { return proceed(insertion, heard: heard, new: new) }
        }
        // Any repeat ended with the frame before this one.
        if watch?.repeated == nil { tell(repeated, framesSince: 1) }
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
    private func isInTime(_ insertion: Insertion) -> Bool {
        guard let tail = insertion.bookmark.heard.tail else { return true }
        return reactor.now - tail <= insertion.strange + Self.tolerance
    }

    /// Continues the programme where it was lost: everything delivered since the gap was foreign. Of the held frames,
    /// `heard` were delivered before the gap, and the `new` ones after these continue from there.
    private func proceed(_ insertion: Insertion, heard: Int, new: Int) {
        pass(held.frames - heard - new)
        (watch, insertions) = (nil, [])
        held.drop(heard)
        held.prefix(0).pass(to: inlet)
        let foreign = Stretch(
            .foreign, frames: insertion.start..<inlet.position.frames, at: insertion.at,
            length: inlet.end - insertion.media)
        inlet.report(foreign)
        inlet.proceed(from: insertion.bookmark, reactor.readClocks())
        onStretch?(foreign)
        release()
    }

    /// Reports frames that repeat audio from before a gap. They are kept, because the station may have meant to repeat
    /// them. `framesSince` is the number of frames added after them.
    private func tell(_ repeated: (frames: Int, length: Duration)?, framesSince: Int = 0) {
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
