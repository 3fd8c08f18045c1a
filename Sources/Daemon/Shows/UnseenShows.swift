// SPDX-License-Identifier: MIT

import Instants

/// Finds the spans in which shows may have come and gone unseen: before this run of the daemon, and while the machine
/// slept or its clock was set forward. A value.
struct UnseenShows {
    /// Shows that ended in ``ends`` have no verdict yet, if they began after ``begins``.
    struct Span: Hashable {
        var ends: Range<WallInstant>
        var begins: WallInstant
    }

    private var lastRun: WallInstant?
    private var lastLook: WallInstant?

    /// Two looks are closer together while the machine is awake.
    private static let longestPause = Duration.seconds(60)
    /// A longer absence is not reported show by show.
    private static let longestAbsence = Duration.seconds(14 * 86_400)

    /// Notes when an earlier run of the daemon ended.
    mutating func note(lastRun: WallInstant) { self.lastRun = lastRun }

    /// Notes that the shows of this instant are known. Returns the span before it that nobody saw. To be called only
    /// while the wall clock is right.
    mutating func look(at now: WallInstant) -> Span? {
        defer { (lastRun, lastLook) = (nil, now) }
        if let lastRun { return span(from: lastRun, to: now, begins: WallInstant(nanoseconds: .min)) }
        guard let lastLook, now - lastLook > Self.longestPause else { return nil }
        // Shows that had begun by the last look get their verdict from what was recorded.
        return span(from: lastLook, to: now, begins: lastLook + ShowCalendar.lead)
    }

    private func span(from start: WallInstant, to end: WallInstant, begins: WallInstant) -> Span? {
        let start = max(start, end - Self.longestAbsence)
        return start < end ? Span(ends: start..<end, begins: begins) : nil
    }
}
