// SPDX-License-Identifier: MIT

package import Instants

/// Finds the audio that a station left out during a silence, by the pace of the frames after the silence. A pure value.
///
/// No frame arrives before it is on air, and the frames of a backlog arrive faster than they play. So the least delay
/// of all frames from some place on (the *floor* of that place) is zero if nothing is missing before the place. Audio
/// that was left out raises the floor by its length for good: all later frames are late. No frame has to wait for the
/// verdict, because a recording can note a gap at a past place.
///
/// A pause of the source cannot be told from audio that was left out. Both make all later frames late.
package struct HoleWatch: Sendable {
    /// Audio that is missing before a frame that was delivered.
    package struct FoundHole: Hashable, Sendable {
        /// The first frame after the hole.
        package var position: Position
        /// The programme time of that frame.
        package var time: Duration
        /// Nil if unknown.
        package var length: Duration?
        /// The longest that it can be: the least delay of the frames behind it.
        package var longest: Duration
    }

    /// A silence, and the floor of the frames between it and the next one.
    private struct Silence: Sendable {
        var position: Position
        var time: Duration
        var floor = Duration.seconds(1_000_000)
        /// When the floor last fell by more than ``HoleWatch/jitter``, and the number of deliveries since then.
        var fallenAt = MonotonicInstant(nanoseconds: 0)
        var deliveries = 0
        /// When the floor of a later silence, which proved to hide nothing, last fell: a backlog may still be coming.
        var followedAt = MonotonicInstant(nanoseconds: 0)
        var first: (at: MonotonicInstant, delay: Duration)?
        /// How much audio the first delivery brought.
        var lump = Duration.zero

        mutating func take(_ delay: Duration, _ now: MonotonicInstant) {
            if first?.at ?? now == now { first = (now, delay) }
            if delay < floor - HoleWatch.jitter { (fallenAt, deliveries) = (now, 0) }
            floor = min(floor, delay)
            deliveries += 1
        }
    }

    /// A shorter silence is normal on a network.
    package static let shortestSilence = Duration.seconds(2)
    /// If the floor has not fallen for this long, the backlog is over.
    private static let calm = Duration.milliseconds(1_200)
    /// With few deliveries, their delays vary by more.
    private static let longestCalm = Duration.seconds(4)
    private static let enough = 12
    /// A connection that ends shows in a shorter time that no backlog was coming.
    private static let shortestPace = Duration.milliseconds(200)
    /// Arrivals vary by this much.
    private static let jitter = Duration.milliseconds(40)
    /// A delivery that is later than the floor by more than this may be the beginning of another delay.
    private static let onTime = Duration.milliseconds(500)
    /// Shorter holes are not told from the delays of a network.
    static let leastHole = Duration.milliseconds(500)
    private static let mostSilences = 16

    /// The silences that are not judged yet, oldest first.
    private var silences: [Silence] = []
    /// The newest delivery.
    private var newest: (at: MonotonicInstant, delay: Duration)?

    package init() {}

    /// Whether there is a silence whose verdict is not known yet.
    package var isWatching: Bool { !silences.isEmpty }

    /// The holes that there may be in the silences that are not judged yet.
    package var doubts: [FoundHole] {
        silences.map { FoundHole(position: $0.position, time: $0.time, length: nil, longest: $0.floor) }
    }

    /// How late all frames have been since the silence that is not judged yet at this time of its connection, or
    /// before.
    package func delay(at time: Duration) -> Duration { silences.last { $0.time <= time }?.floor ?? .zero }

    /// When to ask for the ``verdict(_:)`` although nothing has arrived; nil if there is nothing to judge.
    package var deadline: MonotonicInstant? {
        guard let last = silences.last, isPaced else { return nil }
        let calm = last.deliveries >= Self.enough ? Self.calm : Self.longestCalm
        return max(last.fallenAt + calm, last.followedAt + Self.calm)
    }

    /// Whether frames have kept the pace of the floor since it fell.
    private var isPaced: Bool {
        guard let last = silences.last, let newest else { return false }
        return newest.at - last.fallenAt >= Self.shortestPace && newest.delay <= last.floor + Self.onTime
    }

    /// Begins to watch: the frame at `position`, of this programme time, is the first after a silence.
    package mutating func begin(at position: Position, _ time: Duration) {
        if silences.count == Self.mostSilences { silences.removeFirst() }
        silences.append(Silence(position: position, time: time))
        newest = nil
    }

    /// Moves the silences among the frames of a connection to where its frames are delivered: `position` gives the
    /// place of a frame, nil if that is not delivered, and times become later by `shift`.
    package func moved(by shift: Duration, _ position: (Int64) -> Position?) -> HoleWatch {
        var moved = self
        moved.silences = silences.compactMap { silence in
            guard let place = position(silence.position.frames) else { return nil }
            var silence = silence
            (silence.position, silence.time) = (place, silence.time + shift)
            return silence
        }
        return moved
    }

    /// Takes a delivery after the last silence. `delay`: how late the delivery's last frame arrived, which ends at
    /// programme time `time`.
    package mutating func arrived(late delay: Duration, upTo time: Duration, _ now: MonotonicInstant) {
        guard let last = silences.last else { return }
        newest = (now, delay)
        if last.deliveries == 0 { silences[silences.count - 1].lump = time - last.time }
        silences[silences.count - 1].take(delay, now)
        // Frames that are as late as those before their silence show that nothing is missing in it.
        while let last = silences.last, last.floor < (silences.dropLast().last?.floor ?? .zero) + Self.leastHole {
            silences.removeLast()
            guard !silences.isEmpty else { return end() }
            silences[silences.count - 1].take(last.floor, now)
            silences[silences.count - 1].followedAt = last.fallenAt
        }
    }

    /// The holes before the frames since the first silence, once they are known; nil before that.
    package mutating func verdict(_ now: MonotonicInstant) -> [FoundHole]? {
        guard let deadline, now >= deadline else { return nil }
        return conclude()
    }

    /// The holes that are known if nothing more arrives, because the connection has ended; nil if that shows none.
    package mutating func conclusion() -> [FoundHole]? {
        guard let newest, let first = silences.last?.first, !isBacklog else { return nil }
        return newest.at - first.at >= Self.shortestPace ? conclude() : nil
    }

    /// Whether the frames since the last silence have arrived faster than they play.
    private var isBacklog: Bool {
        guard let last = silences.last, let newest, let first = last.first else { return false }
        return first.delay - last.floor > (newest.at - first.at) / 4
    }

    /// Ends the watch, because what follows cannot be compared in time. `isLikely`: whether audio is missing unless the
    /// frames show a backlog. How much it is may be unknown.
    package mutating func end(isLikely: Bool) -> [FoundHole] {
        defer { end() }
        if let found = conclusion() { return found }
        guard isLikely, !isBacklog, let last = silences.last, last.lump < Self.shortestSilence else { return [] }
        return [FoundHole(position: last.position, time: last.time, length: nil, longest: last.floor)]
    }

    /// Forgets everything: what follows has no relation in time to what was delivered.
    package mutating func end() { (silences, newest) = ([], nil) }

    private mutating func conclude() -> [FoundHole] {
        defer { end() }
        var before = Duration.zero
        return silences.map { silence in
            defer { before = silence.floor }
            let length = silence.floor - before
            return FoundHole(position: silence.position, time: silence.time, length: length, longest: length)
        }
    }
}
