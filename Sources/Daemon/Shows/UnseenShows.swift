// SPDX-License-Identifier: MIT

import Instants

/// Finds the spans in which shows may have come and gone unobserved: before this run of the daemon, and while the
/// machine slept or its clock was set forward.
struct UnseenShows {
    /// The shows that ended in ``ends`` and began after ``begins``. None of them has a verdict yet.
    struct Span: Hashable {
        var ends: Range<WallInstant>
        var begins: WallInstant
    }

    /// When an earlier run of the daemon ended; nil once its successor has looked.
    private(set) var lastRun: WallInstant?
    private var lastLook: WallInstant?

    /// While the machine is awake, less time than this passes between two calls of ``look(at:)``.
    private static let longestPause = Duration.seconds(60)
    /// After a longer absence, only the shows that ended in its last part, of this length, are reported.
    private static let longestAbsence = Duration.seconds(14 * 86_400)

    /// Takes the end of an earlier run of the daemon as the beginning of the next unobserved span.
    mutating func note(lastRun: WallInstant) { self.lastRun = lastRun }

    /// Ends the unobserved span: the daemon watches shows at this instant. Returns the span before it in which shows
    /// went unobserved; nil if there is none. Call it only while the wall clock is right.
    mutating func look(at now: WallInstant) -> Span? {
        defer { (lastRun, lastLook) = (nil, now) }
        if let lastRun { return span(from: lastRun, to: now, begins: WallInstant(nanoseconds: .min)) }
        guard let lastLook, now - lastLook > Self.longestPause else { return nil }
        // Shows that had begun at the last look, or were about to begin within ``ShowCalendar/lead``, are not included:
        // they are judged by their recordings.
        return span(from: lastLook, to: now, begins: lastLook + ShowCalendar.lead)
    }

    private func span(from start: WallInstant, to end: WallInstant, begins: WallInstant) -> Span? {
        let start = max(start, end - Self.longestAbsence)
        // A show that ends at this very instant is over, so a show that ended at the start was seen.
        let step = Duration.nanoseconds(1)
        return start < end ? Span(ends: start + step..<end + step, begins: begins) : nil
    }
}
