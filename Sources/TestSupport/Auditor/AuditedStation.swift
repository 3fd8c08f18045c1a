// SPDX-License-Identifier: MIT

package import Instants
import RadioCore

/// A ``ChanceStation`` that has been recorded and judged.
package struct AuditedStation: Sendable {
    package let station: ChanceStation
    package let findings: [AuditFinding]
    /// The number of true gaps: with the right length, and with a length that is said to be unknown.
    package let gaps: (right: Int, unknown: Int)
    package let recording: AuditedRecording
    private let sent: [SentFrames]
    private let log: OriginLog
    private let began: MonotonicInstant

    /// `began` is when the origin started, and `date` is that by the wall clock. See
    /// ``SentFrames/all(of:_:since:unread:)`` for `unread`.
    package init(
        _ station: ChanceStation, _ recording: AuditedRecording, _ log: OriginLog, since began: MonotonicInstant,
        on date: WallInstant, unread: Duration = .zero
    ) {
        sent = SentFrames.all(of: log, station.broadcast, since: began, unread: unread)
        let lags = Dictionary(uniqueKeysWithValues: station.servers.map { ($0.host, $0.lag) })
        let timing = RecordingJudge.Timing(onAir: station.onAir, lags: lags, start: date)
        let judge = RecordingJudge(recording, of: station.broadcast, sent: sent, timing: timing)
        (self.station, findings, gaps) = (station, judge.findings, (judge.rightLengths, judge.unknownLengths))
        (self.recording, self.log, self.began) = (recording, log, began)
    }

    /// What happened, in order, for a person who looks for the cause of a finding. Times are in seconds since the
    /// start; places are frames of the programme.
    package var history: String {
        var entries: [(at: Duration, text: String)] = []
        for (number, connection) in sent.enumerated() {
            entries.append((connection.accepted, "connection \(number) to \(connection.host)"))
            if let ended = connection.ended { entries.append((ended, "connection \(number) ends")) }
            entries += Self.bursts(of: connection).map { run in
                let end = run.until > run.at ? " until \(run.until.roundedSeconds)" : ""
                let read = run.read > run.until ? ", read at \(run.read.roundedSeconds)" : ""
                return (run.at, "connection \(number) sends \(run.places)\(end)\(read)")
            }
        }
        entries += log.faults.map { ($0.at - began, "connection \($0.connection): \($0.effect) at place \($0.place)") }
        entries += log.refusals.map { ($0.at - began, "\($0.host) refuses") }
        entries += recording.gaps.map { gap in
            let length = gap.length.map { "\($0.roundedSeconds) s" } ?? "unknown length"
            return (gap.told, "    told: gap before frame \(gap.position), \(length), \(gap.cause)")
        }
        entries += recording.splices.map { splice in
            let position = Int(splice.position.frames)
            return (
                recording.time(of: position),
                "    told: splice at frame \(position), \(splice.droppedFrames) dropped, \(splice.unheardFrames) of"
                    + " these not heard, by \(splice.method)"
            )
        }
        entries += recording.insertions.map { count, insertion in
            let rest = insertion.rest.map { "\($0.roundedSeconds) s" } ?? "unknown"
            return (
                recording.time(of: count),
                "    found before frame \(count): \(Self.text(insertion.before)), \(Self.text(insertion.after)),"
                    + insertion.within.map { " \(Self.text($0)) within," }.joined() + " still missing: \(rest)"
            )
        }
        entries += recording.stretches.map { stretch in
            (recording.time(of: Int(stretch.frames.upperBound) - 1), "    told: \(stretch.kind) \(stretch.frames)")
        }
        entries += heardRuns.map { ($0.at, "    heard: frames from \($0.index) are places \($0.places)") }
        entries += findings.map { ($0.time, "  ! \($0)") }
        let lines = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map { "\($0.element.at.roundedSeconds) \($0.element.text)" }
        return ([station.description] + lines).joined(separator: "\n")
    }

    private static func text(_ places: [Int?]) -> String {
        let known = places.compactMap(\.self)
        guard let first = known.first, let last = known.last else { return "nothing" }
        return "\(places.count) frames, places \(first) to \(last)"
    }

    private struct Burst {
        var places: Range<Int>
        let at: Duration
        var until: Duration
        var read: Duration
    }

    /// The frames of a connection, joined unless there is a pause of more than a second or a jump.
    private static func bursts(of connection: SentFrames) -> [Burst] {
        var bursts: [Burst] = []
        for run in connection.runs {
            if let last = bursts.last, last.places.upperBound == run.places.lowerBound,
                run.at - last.until <= .milliseconds(1_100)
            {
                bursts[bursts.count - 1].places = last.places.lowerBound..<run.places.upperBound
                (bursts[bursts.count - 1].until, bursts[bursts.count - 1].read) = (run.at, run.read)
            } else {
                bursts.append(Burst(places: run.places, at: run.at, until: run.at, read: run.read))
            }
        }
        return bursts
    }

    /// The stretches of the recording whose frames follow each other.
    private var heardRuns: [(index: Int, places: Range<Int>, at: Duration)] {
        var runs: [(index: Int, places: Range<Int>, at: Duration)] = []
        for (index, place) in recording.places.enumerated() {
            guard let place else { continue }
            if let last = runs.last, last.places.upperBound == place, index == last.index + last.places.count {
                runs[runs.count - 1].places = last.places.lowerBound..<place + 1
            } else {
                runs.append((index, place..<place + 1, recording.time(of: index)))
            }
        }
        return runs
    }
}
