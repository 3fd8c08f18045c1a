// SPDX-License-Identifier: MIT

import Instants
package import RadioFormats

/// Compares the times that a station states for its frames with the audio that has been delivered: what is missing, and
/// how much. A value.
///
/// Statements are believed once three of them have fitted. Some packagers state times that mean nothing.
package struct HLSSeams: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// The frame continues the audio before it.
        case follows
        /// So much audio is missing before the frame; nil if that is not known.
        case missing(Duration?)
        /// The frame belongs before the end of the audio that has been delivered, by so much.
        case overlaps(Duration)
    }

    /// When the next frame is due; nil without a statement so far.
    private var due: MediaTime?
    private var fitting = 0

    private static let enough = 3
    /// Dates in whole seconds are off by this much.
    package static let mostError = Duration.seconds(1)

    package init() {}

    /// Whether the stated times are believed.
    package var isTrusted: Bool { fitting >= Self.enough }

    /// Judges the time of the next frame, whose length is `frame`. `isBroken`: whether audio is known to be missing
    /// before it. `isNewLine`: whether the station says that its time line begins anew there. `most`: the most that can
    /// be missing by the clock.
    package mutating func judge(
        _ time: MediaTime, frame: Duration, isBroken: Bool, isNewLine: Bool, most: Duration
    ) -> Verdict {
        defer { due = time }
        guard let due, let distance = time.since(due) else { return isBroken ? .missing(nil) : .follows }
        guard distance.magnitude > frame / 2 else {
            fitting += 1
            // Nothing is missing after all.
            return .follows
        }
        let isBelieved = isTrusted && distance <= most && distance >= .zero - most
        if !isBelieved { fitting = 0 }
        guard isBelieved else { return isBroken ? .missing(nil) : .follows }
        return distance > .zero ? .missing(distance) : isNewLine ? .follows : .overlaps(.zero - distance)
    }

    /// Judges the time of the first frame of another lineage. `expected`: how much is missing according to dates or
    /// listings, to within `error`; nil if these do not tell. The time line may be another one, so the time counts only
    /// if it agrees with these. ``mostError``: what is less certain has no length.
    package mutating func judge(
        _ time: MediaTime, frame: Duration, expected: Duration?, error: Duration
    ) -> Verdict {
        let stated = isTrusted ? due.flatMap { time.since($0) } : nil
        (due, fitting) = (time, 0)
        guard let expected else { return .missing(nil) }
        if let stated, (stated - expected).magnitude <= max(error, frame) {
            return stated.magnitude <= frame / 2 ? .follows : .missing(stated > .zero ? stated : nil)
        }
        if expected.magnitude <= max(error, frame) { return error <= frame ? .follows : .missing(nil) }
        return .missing(expected > .zero && error <= Self.mostError ? expected : nil)
    }

    /// Counts frames that follow.
    package mutating func follow(_ samples: Int64, at rate: Int) {
        due = due?.advanced(by: samples, at: rate)
    }

    /// Forgets the time line: what follows is on another.
    package mutating func forget() { self = HLSSeams() }
}
