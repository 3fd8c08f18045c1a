// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

/// The times in which no daemon ran: each from the last sign of life of a run to the start of the next. Only audio of
/// these times is missing because no daemon ran; what is missing before, between or after them is missing for another
/// reason.
struct Downtimes: Hashable {
    private struct Downtime: Hashable {
        var span: Range<WallInstant>
        /// The faults that lasted when it began.
        var faults: [StandingFault]
    }

    /// The downtimes before those runs that came before this one, in order.
    private var earlier: [Downtime] = []
    /// The last sign of life before this run; nil if there was none: audio from before the start of the first run is
    /// missing because no daemon ran.
    private var lastSign: WallInstant?
    private var lastFaults: [StandingFault] = []

    static let cause = "Aircheck was not running"
    /// The cause of missing audio if nothing is known about it.
    static let unknownCause = "no audio arrived"

    /// A run may lose this much audio at its end: what it had received but not written.
    private static let unwritten = Duration.seconds(5)
    /// A fault is noticed within this time after the audio ends, except that of a station that hangs.
    private static let timeToFail = Duration.seconds(1)
    /// A station sends audio within this time after the start, unless it is unavailable.
    private static let timeToConnect = Duration.seconds(30)
    /// How many are stored: a show with more restarts is not explained.
    private static let most = 100
    /// The maximum number of faults that are stored. The newest downtimes keep theirs.
    private static let mostFaults = 200
    /// Before any daemon.
    private static let never = WallInstant(nanoseconds: 0)

    /// What an earlier run has stored (``json(start:)``); `lastSign`: when it was alive last, with these faults.
    init(_ stored: JSONValue = .null, lastSign: WallInstant? = nil, faults: [StandingFault] = []) {
        (self.lastSign, lastFaults) = (lastSign, faults)
        earlier = (stored.arrayValue ?? []).suffix(Self.most).compactMap { downtime in
            guard let span = downtime.span else { return nil }
            let faults = (downtime["faults"]?.arrayValue ?? []).prefix(Self.mostFaults).compactMap(StandingFault.init)
            return Downtime(span: span, faults: faults)
        }.sorted { $0.span.lowerBound < $1.span.lowerBound }
    }

    /// Until when, according to its last sign of life, the last run had audio of a station; nil if there was none.
    func lastAudio(of station: String) -> WallInstant? {
        guard let lastSign else { return nil }
        return lastFaults.filter { $0.station == station }.map(\.since).reduce(lastSign, min)
    }

    /// These downtimes for the next run. `start`: when this run began.
    func json(start: WallInstant) -> JSONValue {
        var rest = Self.mostFaults
        let entries = all(until: start).suffix(Self.most).reversed().map { down -> JSONValue in
            let faults = down.faults.prefix(rest)
            rest -= faults.count
            return .object([
                "from": down.span.lowerBound, "until": down.span.upperBound, "faults": faults.map(\.json),
            ])
        }
        return .array(entries.reversed())
    }

    private func all(until start: WallInstant) -> [Downtime] {
        let last = Downtime(span: min(lastSign ?? Self.never, start)..<start, faults: lastFaults)
        return (earlier + [last]).filter { !$0.span.isEmpty }
    }

    /// Divides a span of missing audio of a station by causes. `start`: when this run began. `why` returns what is
    /// known of a span of this run; of an earlier run, the faults with which it ended are known.
    func causes(
        of missing: Range<WallInstant>, in station: String, start: WallInstant, why: (Range<WallInstant>) -> String?
    ) -> [RecordingResult.Cause] {
        let all = all(until: start)
        func known(_ span: Range<WallInstant>) -> String? {
            if span.lowerBound >= start { return why(span) }
            let next = all.first { $0.span.lowerBound >= span.upperBound }
            if let cause = next.flatMap({ StandingFaults(faults: $0.faults).cause(of: station, in: span) }) {
                return cause
            }
            // The clock of the last run was ahead: what it recorded has later times.
            guard let lastSign, lastSign > start, span.upperBound <= lastSign else { return nil }
            return RecordingResult.clockSet
        }
        /// Whether a part between downtimes belongs to the one before or after it.
        func isWidening(_ part: Range<WallInstant>) -> Bool {
            let isAfter = part.lowerBound > missing.lowerBound && part.length < Self.timeToConnect
            if isAfter, known(part) == nil { return true }
            guard part.upperBound < missing.upperBound, part.length < Self.unwritten else { return false }
            return known(part.clamped(to: part.lowerBound..<part.lowerBound + Self.timeToFail)) == nil
        }
        let others = missing.without(all.map(\.span)).filter { !isWidening($0) }
            .map { RecordingResult.Cause(span: $0, text: known($0) ?? Self.unknownCause) }
        return missing.divided(by: others) { [.init(span: $0, text: Self.cause)] }
    }
}
