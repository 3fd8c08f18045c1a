// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Tells from the pace of the frames after a silence whether they were delayed, or whether audio is missing before
/// them.
///
/// The pace is known once a delivery is on time at least a second after the least delayed delivery, and no delivery in
/// the next 200 ms is even less delayed. One delivery alone shows nothing: it may be the beginning of a backlog.
struct SilenceLook {
    enum Verdict: Hashable {
        /// The frames were only delayed: nothing is missing.
        case delayed
        /// Audio of this length is missing before the frames.
        case missing(Duration)
        /// The connection is silent again, or still brings delayed audio when the time for the verdict is up.
        case unknown

        /// The length of the missing audio; nil unless audio is known to be missing.
        var missing: Duration? {
            if case .missing(let length) = self { length } else { nil }
        }
    }

    /// When the first frame after the silence was due.
    private let due: MonotonicInstant
    private var clock = EdgeClock()
    /// The number of frames that have arrived.
    private var frames = 0
    /// When the frames are released even if the pace is unknown; nil before the first frame.
    private var deadline: MonotonicInstant?
    /// When to judge the pace; nil unless a delivery was on time.
    private var judgement: MonotonicInstant?
    /// The length of the missing audio if the connection has ended; nil if none is known to be missing. No rest of a
    /// backlog can follow then, so a shorter time at that pace is enough.
    private(set) var missingIfOver: Duration?

    /// If no frame has been less delayed for this long, all delayed audio may have arrived.
    private static let calm = Duration.seconds(1)
    /// The rest of a backlog arrives within this time of its beginning.
    private static let backlog = Duration.milliseconds(200)
    /// A shorter delay does not count as a gap, and a delivery that is delayed by less is on time.
    private static let leastGap = Duration.milliseconds(500)

    /// `due`: when the first frame after the silence was due.
    init(due: MonotonicInstant) {
        self.due = due
    }

    /// When to call ``verdict(_:)``; nil before the first frame.
    var wakeUp: MonotonicInstant? { judgement ?? deadline }

    /// Call when bytes have arrived. `held`: all frames after the silence. The first of them may wait for `patience`.
    mutating func arrived(_ held: StreamParts, _ now: MonotonicInstant, patience: Duration) {
        guard held.frames > frames else { return }
        frames = held.frames
        deadline = deadline ?? now + patience
        clock.arrived(from: .zero, upTo: held.duration, now: now)
        guard let origin = clock.origin, let since = clock.pacedSince else { return }
        let isOnTime = now - held.duration < origin + Self.leastGap
        if judgement == nil, isPaced(now), isOnTime { judgement = now + Self.backlog }
        let hasKeptPace = isOnTime && now - since >= Self.backlog
        missingIfOver = hasKeptPace && origin - due >= Self.leastGap ? origin - due : nil
    }

    /// The verdict; nil while there is none.
    mutating func verdict(_ now: MonotonicInstant) -> Verdict? {
        guard let origin = clock.origin, let deadline, let wakeUp, wakeUp <= now else { return nil }
        if let time = judgement.take() {
            guard now - time <= Self.backlog else {
                // The process stood still, so audio that arrived meanwhile may still be unread: judge later.
                judgement = now + Self.backlog
                return nil
            }
            if isPaced(now) { return origin - due < Self.leastGap ? .delayed : .missing(origin - due) }
        }
        return deadline <= now ? .unknown : nil
    }

    private func isPaced(_ now: MonotonicInstant) -> Bool {
        clock.pacedSince.map { now - $0 >= Self.calm } ?? false
    }
}
