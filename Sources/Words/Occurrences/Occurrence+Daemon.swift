// SPDX-License-Identifier: MIT

import Configuration
package import Daemon
import Engine
import Instants
import RadioCore
import Recorder
import Stations
import Storage

extension Wording {
    /// The occurrence that is an event of a daemon; nil if nobody has to learn of it.
    package static func occurrence(_ event: DaemonEvent, in context: Occurrence.Context) -> Occurrence? {
        switch event {
        case .listening(let addresses):
            let list = addresses.map { "\($0)" }.joined(separator: ", ")
            return Occurrence(
                .notice, "listening", with: ["addresses": list],
                list.isEmpty ? "listening on no address" : "listening on \(list)", ends: notListening)
        case .notListening(let failure):
            var failed = Occurrence(.error, notListening, failure)
            failed.sentence += "; \(isTriedAgain)"
            return failed
        case .service(let notice): return occurrence(notice, remedy: { _ in "add it to host-names in [server]" })
        case .configured(let change): return occurrence(change)
        case .doubtful(let warning): return Occurrence(.warning, "configuration doubtful", line(warning))
        case .notConfigured(let why): return occurrence(why)
        case .station(let id, let notice):
            var occurrence = occurrence(notice, of: .station(id), in: context)
            if case .gap(let gap) = notice { occurrence?.told = context.event(gap, of: id) }
            return occurrence
        case .use(let key, let notice):
            var occurrence = occurrence(notice, of: .use(key), in: context)
            if case .recorder(let notice) = notice { occurrence?.told = context.event(notice, of: key) }
            return occurrence
        case .recordingBegan(let key, let recording, let path, let late):
            return began(key, recording, path, late: late, in: context)
        case .recordingEnded(let key, let recording, let outcome):
            return ended(key, recording, outcome, in: context)
        case .fileFinished(let file):
            // The notice of the recorder, or of the recovery, has an entry of its own.
            return Occurrence(nil, .fileFinished, of: subject(file), "finished \(file.path)", in: context) {
                context.note(file, in: &$0)
            }
        case .failed(let key, let failure): return Occurrence(.warning, "use failed", of: .use(key), failure)
        case .showEnded(let airing, let result): return ended(airing, result, in: context)
        case .manualEnded(let recording, let result): return ended(recording, result, in: context)
        case .showRefused(let airing):
            return Occurrence(
                .warning, "show not recorded", of: .use(airing.key),
                "\(airing.show.name) is not recorded: the maximum number of stations is already being recorded "
                    + "(stations-at-once)")
        case .stationDown(let id, let failure):
            return Occurrence(
                .error, .stationDown, of: .station(id),
                "no audio has arrived for a minute\(failure.map { ": \($0.message)" } ?? "")", in: context
            ) { $0.cause = failure?.message }
        case .stationBack(let id, let time):
            return Occurrence(
                .notice, .stationBack, of: .station(id), "the station is back after \(Measure.span(time))", in: context
            ) { $0.seconds = time.inSeconds }
        case .stationUnneeded(let id, let time):
            return Occurrence(
                .notice, .stationBack, as: "station not needed", of: .station(id),
                "nothing needs the station any more, which was down for \(Measure.span(time))", in: context
            ) { ($0.seconds, $0.cause) = (time.inSeconds, "nothing records, plays or relays it now") }
        case .lateGap(let gap, let file):
            return Occurrence(
                .error, "audio lost", of: subject(file), line(lost: gap),
                told: context.event(gap, of: file))
        case .recovered(let file): return Occurrence(.notice, "file recovered", with: ["file": file.path], line(file))
        case .soundLost(let id, let failure):
            return Occurrence(
                .warning, "no sound", of: .station(id),
                "no sound: \(failure.words); playback continues when there is sound again",
                fault: "\(noSound(id)) \(failure.message)")
        case .soundBack(let id):
            return Occurrence(.notice, "sound again", of: .station(id), isSoundBack, ends: noSound(id))
        case .other(let report): return (report as? any Worded)?.occurrence(of: .program, in: context)
        case .retention(let outcome): return occurrence(outcome)
        case .catalog(let notice): return occurrence(notice)
        case .catalogRebuilt(.success(let count)):
            return Occurrence(
                .notice, "catalog rebuilt", with: ["files": "\(count)"],
                "the catalog has been rebuilt from \(Measure.count(count, "file"))")
        case .catalogRebuilt(.failure(let error)):
            return Occurrence(
                .error, "catalog not rebuilt", "the catalog could not be rebuilt: \(error)", fault: "catalog \(error)")
        case .rebuildFound(let finding): return occurrence(finding)
        case .writingAgain(let station, let key):
            // The recorder's notice has an entry of its own, and of a recording that is over, nobody wants to know.
            return Occurrence(
                nil, .diskWell, as: "written again", of: key.map(Occurrence.Subject.use) ?? .station(station),
                "recordings are written to disk again", in: context)
        case .disk(let level, let free): return disk(level, free, in: context)
        case .clockNotSet:
            return Occurrence(
                .warning, "clock not set",
                "the clock of this machine is not set yet; no show is recorded until it is")
        case .notRemembered(let failure): return Occurrence(.error, "not remembered", failure)
        case .notStarted(let failure): return Occurrence(.error, "not started", failure)
        case .stopped: return Occurrence(.notice, "stopped", "stopped")
        }
    }

    private static func subject(_ file: FinishedBundle) -> Occurrence.Subject {
        file.sidecar.stationID.map(Occurrence.Subject.station) ?? .program
    }

    private static func disk(
        _ level: DiskAlarm.Level, _ free: Int64?, in context: Occurrence.Context
    ) -> Occurrence {
        let (weight, event, name, sentence): (Occurrence.Level?, EventName, String?, String) =
            switch level {
            case .well:
                (.notice, .diskWell, nil, "has room again\(free.map { ": \(Measure.bytes($0)) are free" } ?? "")")
            // The entries about retention and about recordings that cannot be written say so already.
            case .low: (nil, .diskLow, "disk almost full", "is almost full")
            case .full: (nil, .diskLow, "disk full", "is full")
            }
        return Occurrence(
            weight, event, as: name, with: free.map { ["free": "\($0)"] } ?? [:], "the disk for recordings \(sentence)",
            in: context
        ) {
            $0.bytes = free
            if level == .full { $0.cause = "the disk is full: recordings wait until there is room" }
        }
    }

    /// The prefix of the names of a player's faults.
    private static func noSound(_ station: String) -> String { "no sound \(station):" }

    private static let notListening = "not listening"

    /// Appended to the reason why listening on an address failed.
    package static let isTriedAgain = "Aircheck tries again every few seconds"
}
