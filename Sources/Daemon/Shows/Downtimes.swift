// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// The times in which no daemon ran: each from the last sign of life of a run to the start of the next. Only audio of
/// these times is missing because no daemon ran; what is missing before, between or after them is missing for another
/// reason.
struct Downtimes: Hashable {
    /// The downtimes before those runs that came before this one, in order.
    private var earlier: [Range<WallInstant>] = []
    /// The last sign of life before this run; nil if there was none: audio from before the start of the first run is
    /// missing because no daemon ran.
    private var lastSign: WallInstant?

    static let cause = "Aircheck was not running"
    /// The cause of missing audio if nothing is known about it.
    static let unknownCause = "no audio arrived"

    /// A run may lose this much audio at its end: what it had received but not written.
    private static let unwritten = Duration.seconds(5)
    /// A station sends audio within this time after the start, unless it is unavailable.
    private static let timeToConnect = Duration.seconds(30)
    /// How many are stored: a show with more restarts is not explained.
    private static let most = 100
    /// Before any daemon.
    private static let never = WallInstant(nanoseconds: 0)

    /// What an earlier run has stored (``json(start:)``); `lastSign`: when it was alive last.
    init(_ stored: JSONValue = .null, lastSign: WallInstant? = nil) {
        self.lastSign = lastSign
        earlier = (stored.arrayValue ?? []).suffix(Self.most).compactMap { span in
            func time(_ name: String) -> WallInstant? {
                span[name]?.stringValue.flatMap(CivilTime.init(rfc3339:))?.instant
            }
            guard let from = time("from"), let until = time("until"), from < until else { return nil }
            return from..<until
        }.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// These downtimes for the next run. `start`: when this run began.
    func json(start: WallInstant) -> JSONValue {
        .array(
            spans(until: start).suffix(Self.most).map { span in
                [
                    "from": .string(CivilTime(span.lowerBound, utcOffset: 0).rfc3339),
                    "until": .string(CivilTime(span.upperBound, utcOffset: 0).rfc3339),
                ]
            })
    }

    private func spans(until start: WallInstant) -> [Range<WallInstant>] {
        let last = min(lastSign ?? Self.never, start)..<start
        return (earlier + [last]).filter { !$0.isEmpty }
    }

    /// Divides a span of missing audio by causes. `start`: when this run began. `before` returns what is known of a
    /// span before the last sign of life, and `why` what is known of a span of this run.
    func causes(
        of missing: Range<WallInstant>, start: WallInstant, before: (Range<WallInstant>) -> String? = { _ in nil },
        why: (Range<WallInstant>) -> String?
    ) -> [RecordingResult.Cause] {
        var causes: [RecordingResult.Cause] = []
        func add(_ span: Range<WallInstant>, _ text: String) {
            if !span.isEmpty { causes.append(.init(span: span, text: text)) }
        }
        let downs = spans(until: start).filter { $0.overlaps(missing) }
        func known(_ span: Range<WallInstant>) -> String? {
            if span.isEmpty { return nil }
            if span.lowerBound >= start { return why(span) }
            return span.upperBound <= lastSign ?? start ? before(span) : nil
        }
        var end = missing.lowerBound
        for (index, span) in downs.enumerated() {
            var down = span.clamped(to: end..<max(end, missing.upperBound))
            if down.lowerBound - end < Self.unwritten { down = end..<down.upperBound }
            let next = index + 1 < downs.count ? downs[index + 1].lowerBound : missing.upperBound
            let after = down.upperBound..<max(down.upperBound, next)
            if known(after) == nil, after.upperBound - after.lowerBound < Self.timeToConnect {
                down = down.lowerBound..<after.upperBound
            }
            let rest = end..<down.lowerBound
            add(rest, known(rest) ?? Self.unknownCause)
            add(down, Self.cause)
            end = down.upperBound
        }
        let rest = end..<missing.upperBound
        add(rest, known(rest) ?? Self.unknownCause)
        return causes
    }
}
