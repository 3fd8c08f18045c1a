// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations
import Storage

/// The gaps, splices and outages of a station since the daemon began.
struct StationHistory {
    private(set) var gaps = 0
    private(set) var missing = Duration.zero
    private(set) var splices = 0
    private var last: (failure: Failure, at: MonotonicInstant)?
    /// Why audio was lost most recently.
    private var lastLoss: (cause: String, at: MonotonicInstant)?
    /// When the newest gap began that the station has reported.
    private var lastGap: WallInstant?
    /// Why audio was missing: the newest gaps of known length that the station has reported.
    private(set) var causes: [RecordingResult.Cause] = []
    /// The newest gaps that are counted. Recordings of the station may have the same gap, or a part of it.
    private var counted: [Range<WallInstant>] = []
    /// Since when the station has sent no audio; nil while it sends audio.
    private(set) var outage: (since: MonotonicInstant, isReported: Bool)?

    /// How long a station may send no audio before it counts as down.
    static let patience = Duration.seconds(60)
    /// How long a failure is remembered. An older failure says nothing about the present.
    private static let memory = Duration.seconds(86_400)

    /// Gaps of a station begin at least this long after each other. Sidecars round the time at which a gap begins.
    private static let leastDistance = Duration.milliseconds(500)
    /// How many gaps ``counted`` and ``causes`` have at most.
    private static let mostCounted = 100

    /// Records a notice of the station. Returns how long the station was down if this notice ends a reported outage.
    mutating func note(_ notice: StationNotice, _ now: MonotonicInstant) -> Duration? {
        switch notice {
        case .failed(let failure, _):
            last = (failure, now)
            if outage == nil { outage = (now, false) }
        case .gap(let gap):
            count(gap.at, gap.length)
            lastLoss = (gap.cause, now)
            lastGap = gap.at
            if let length = gap.length, length > .zero {
                causes = causes.suffix(Self.mostCounted - 1) + [.init(span: gap.at..<gap.at + length, text: gap.cause)]
            }
            return endOutage(now)
        case .spliced:
            splices += 1
            return endOutage(now)
        case .live, .changed: return endOutage(now)
        case .connecting, .answered, .connected, .renamed, .followedPlaylist, .hedging, .hedgeFailed, .returning,
            .chose, .stretch, .skipped, .attachmentsLeftOut, .hasNothingToHeal, .mayBeIncomplete:
            break
        }
        return nil
    }

    /// Records a notice of a recording of the station.
    mutating func note(_ notice: RecorderNotice, _ now: MonotonicInstant) {
        switch notice {
        case .failing(let error), .cut(_, let error), .leftBehind(_, let error): last = (error.failure, now)
        case .lost(let gap), .missingBefore(let gap):
            count(gap.at.instant, gap.milliseconds.map { .milliseconds($0) })
            if case .lost = notice { lastLoss = (gap.cause, now) }
        case .began, .finished, .healed, .revised, .notHealed, .rewritten, .recovered, .resumed, .flawed, .noTitles:
            break
        }
    }

    /// The newest failure, even if the station is back by now; nil if there was no failure within a day.
    func lastFailure(at now: MonotonicInstant) -> DaemonStatus.LastFailure? {
        guard let last, now - last.at < Self.memory else { return nil }
        return DaemonStatus.LastFailure(failure: last.failure, ago: now - last.at)
    }

    /// Why audio is missing that was on air since `instant`, as far as anything is known: the newest gap has the cause
    /// of an outage that is over, and the newest failure that of one that is not.
    func cause(since instant: MonotonicInstant) -> String? {
        let failure = last.map { (cause: $0.failure.message, at: $0.at) }
        let known = [lastLoss, failure].compactMap(\.self).filter { $0.at >= instant }
        return known.max { $0.at < $1.at }?.cause
    }

    /// Whether the newest gap that the station has reported began at this time.
    func hasTold(gapAt time: WallInstant) -> Bool {
        lastGap.map { max($0, time) - min($0, time) < Self.leastDistance } ?? false
    }

    /// Continues an outage that an earlier run of the daemon has reported.
    mutating func resume(outageSince since: MonotonicInstant) { outage = (since, true) }

    /// Whether the station has just gone down. Returns true once for each outage.
    mutating func hasGone(_ now: MonotonicInstant) -> Bool {
        guard let outage, !outage.isReported, now - outage.since >= Self.patience else { return false }
        self.outage?.isReported = true
        return true
    }

    /// Counts what is missing for the first time.
    private mutating func count(_ start: WallInstant, _ length: Duration?) {
        let span = start..<start + max(length ?? .zero, .zero)
        var rest = [span]
        if span.isEmpty ? hasCounted(start) : counted.contains(where: span.overlaps) {
            rest = span.without(counted).filter { $0.length >= Self.leastDistance }
        }
        guard !rest.isEmpty else { return }
        gaps += 1
        missing += rest.reduce(.zero) { $0 + $1.length }
        if counted.count == Self.mostCounted { counted.removeFirst() }
        counted.append(span)
    }

    /// Whether a gap of unknown length that begins at this time is counted.
    private func hasCounted(_ start: WallInstant) -> Bool {
        counted.contains { $0.lowerBound - Self.leastDistance < start && start < $0.upperBound + Self.leastDistance }
    }

    /// Ends the current outage. Returns how long it has lasted if people were told of it.
    mutating func endOutage(_ now: MonotonicInstant) -> Duration? {
        defer { outage = nil }
        guard let outage, outage.isReported else { return nil }
        return now - outage.since
    }
}
