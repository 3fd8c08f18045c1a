// SPDX-License-Identifier: MIT

import Catalog
import Configuration
package import Daemon
import Engine
import HTTPServer
package import Instants
package import RadioCore
import RadioFormats
import Recorder
import Stations
import Storage

// A daemon's log.
extension Wording {
    /// The log entry for an event; nil if the event is not worth an entry. `now`: the time of the event. `zone`: the
    /// time zone used in sentences.
    package static func record(_ event: DaemonEvent, now: WallInstant, zone: any TimeZoneRules) -> LogRecord? {
        switch event {
        case .listening(let addresses):
            let list = addresses.map { "\($0)" }.joined(separator: ", ")
            return LogRecord(
                .notice, "listening", [.init("addresses", list)],
                sentence: list.isEmpty ? "listening on no address" : "listening on \(list)", ends: notListening)
        case .notListening(let failure):
            var record = fault(.error, notListening, [], failure)
            record.sentence += "; \(isTriedAgain)"
            return record
        case .wrongPassword(let client, let user):
            return LogRecord(
                .warning, "wrong password", [.init("client", "\(client)"), .init("user", user)],
                sentence: wrongPassword(client, user: user))
        case .unknownHost(let name):
            return LogRecord(
                .warning, "unknown host name", [.init("name", name)],
                sentence: unknownHost(name, remedy: "add it to host-names in [server]"))
        case .usersUnusable(let fault):
            return LogRecord(.warning, "users file unusable", sentence: usersUnusable(fault))
        case .accessLog(.failed(let target, let error)):
            return LogRecord(
                .error, accessLogFailed, [.init("error", "\(error)")], sentence: line(.failed(target, error)),
                fault: accessLogFailed)
        case .accessLog(.works(let lost)):
            return LogRecord(
                .notice, "access log works", [.init("lost", "\(lost)")], sentence: line(.works(lost: lost)),
                ends: accessLogFailed)
        case .configured(let change): return record(change)
        case .doubtful(let warning): return LogRecord(.warning, "configuration doubtful", sentence: line(warning))
        case .notConfigured(let why): return record(why)
        case .station(let id, let notice): return record(notice, of: id, now: now)
        case .use(let key, let notice): return record(notice, of: key)
        case .recordingBegan(let key, let recording, _, let late):
            let fields = fields(key) + [.init("recording", recording)]
            guard let late else {
                return LogRecord(.debug, "recording begun", fields, sentence: "started recording \(name(key))")
            }
            return LogRecord(
                .notice, "recording begun late", fields + [.init("late", Measure.seconds(late))],
                sentence: "started recording \(name(key)) \(Measure.span(late)) late")
        // The notice of the recorder, or of the recovery, has an entry of its own.
        case .fileFinished: return nil
        case .recordingEnded(let key, let recording, let outcome):
            let report = outcome.report
            // A show that was skipped or stopped before it began has nothing to say.
            if report.segments.isEmpty, report.gaps.isEmpty, outcome.failure == nil { return nil }
            let length = Measure.clock(seconds: report.length.inSeconds)
            return LogRecord(
                .info, "recording ended",
                fields(key) + [
                    .init("recording", recording), .init("seconds", "\(Int64(report.length.inSeconds))"),
                    .init("bytes", "\(report.bytes)"), .init("files", "\(report.segments.count)"),
                    .init("gaps", "\(report.gaps.count)"),
                ],
                sentence: "recorded \(name(key)): \(length) (\(Measure.bytes(report.bytes))) in "
                    + Measure.count(report.segments.count, "file")
                    + (report.gaps.isEmpty ? "" : ", with \(Measure.count(report.gaps.count, "gap"))")
                    + (outcome.failure.map { "; \($0.message)" } ?? ""))
        case .failed(let key, let failure): return fault(.warning, "use failed", fields(key), failure)
        case .showEnded(let airing, let result): return record(airing, result)
        case .manualEnded(let recording, let result): return record(recording, result)
        case .showRefused(let airing):
            return LogRecord(
                .warning, "show not recorded", fields(airing.key),
                sentence: "[\(airing.station)] \(airing.show.name) is not recorded: the maximum number of stations is "
                    + "already being recorded (stations-at-once)")
        case .stationDown(let id, let failure):
            return LogRecord(
                .error, "station down", [.init("station", id)],
                sentence: "[\(id)] no audio has arrived for a minute\(failure.map { ": \($0.message)" } ?? "")")
        case .stationBack(let id, let time):
            return LogRecord(
                .notice, "station back", [.init("station", id)],
                sentence: "[\(id)] the station is back after \(Measure.span(time))")
        case .stationUnneeded(let id, let time):
            return LogRecord(
                .notice, "station not needed", [.init("station", id)],
                sentence: "[\(id)] nothing needs the station any more, which was down for \(Measure.span(time))")
        case .lateGap(let gap, let file):
            return LogRecord(
                .error, "audio lost", file.station.map { [.init("station", $0)] } ?? [],
                sentence: "\(file.station.map { "[\($0)] " } ?? "")\(line(RecorderNotice.missingBefore(gap)) ?? "")")
        case .recovered(let file):
            return line(RecorderNotice.recovered(file)).map { sentence in
                LogRecord(.notice, "file recovered", [.init("file", file.path)], sentence: sentence)
            }
        case .soundLost(let id, let failure):
            return LogRecord(
                .warning, "no sound", [.init("station", id)],
                sentence: "[\(id)] no sound: \(failure.words); playback continues when there is sound again",
                fault: "\(noSound(id)) \(failure.message)")
        case .soundBack(let id):
            return LogRecord(
                .notice, "sound again", [.init("station", id)], sentence: "[\(id)] \(isSoundBack)", ends: noSound(id))
        case .hook(let notice): return record(notice)
        case .retention(let outcome): return record(outcome)
        case .catalog(let notice): return record(notice)
        case .catalogRebuilt(.success(let count)):
            return LogRecord(
                .notice, "catalog rebuilt", [.init("files", "\(count)")],
                sentence: "the catalog has been rebuilt from \(Measure.count(count, "file"))")
        case .catalogRebuilt(.failure(let error)):
            return LogRecord(
                .error, "catalog not rebuilt", sentence: "the catalog could not be rebuilt: \(error)",
                fault: "catalog \(error)")
        case .rebuildFound(.mended(let file)):
            let name = TitleText.cleaned(file.segment.path.joined(separator: "/"))
            let how =
                file.formerPath.map { "its audio is that of \(TitleText.cleaned($0)), so its sidecar was renamed, too" }
                ?? "its sidecar was gone, and has been made again"
            return LogRecord(.notice, "sidecar mended", [.init("file", name)], sentence: "\(name): \(how)")
        case .rebuildFound(.notMended(let error)):
            return LogRecord(
                .warning, "sidecar not mended", sentence: "a lost sidecar was not made again: \(error)")
        case .rebuildFound(.copy(let copy)):
            let (name, original) = (TitleText.cleaned(copy.path), TitleText.cleaned(copy.original))
            return LogRecord(
                .notice, "copy found", [.init("file", name), .init("original", original)],
                sentence: "\(name) is a copy of \(original), and does not count as a file of the recording")
        // The entries about retention and about recordings that cannot be written say so already.
        case .disk(.low, _), .disk(.full, _), .writingAgain: return nil
        case .disk(.well, let free):
            return LogRecord(
                .notice, "disk well", free.map { [.init("free", "\($0)")] } ?? [],
                sentence:
                    "the disk for recordings has room again\(free.map { ": \(Measure.bytes($0)) are free" } ?? "")")
        case .clockNotSet:
            return LogRecord(
                .warning, "clock not set",
                sentence: "the clock of this machine is not set yet; no show is recorded until it is")
        case .notRemembered(let failure): return fault(.error, "not remembered", [], failure)
        case .notStarted(let failure): return fault(.error, "not started", [], failure)
        case .stopped: return LogRecord(.notice, "stopped", sentence: "stopped")
        }
    }

    private static func record(_ notice: HookNotice) -> LogRecord {
        switch notice {
        case .failed(let hook, let event, let why):
            return LogRecord(
                .error, "hook failed", [.init("hook", "\(hook + 1)"), .init("event", event.rawValue)],
                sentence: "hook \(hook + 1) failed for \(event.rawValue): \(why)", fault: "hook \(hook) \(why)")
        case .output(let hook, let text):
            return LogRecord(
                .info, "hook output", [.init("hook", "\(hook + 1)")], sentence: "hook \(hook + 1): \(text)")
        case .dropped(let count):
            return LogRecord(
                .warning, "hooks dropped", [.init("count", "\(count)")],
                sentence: "hooks did not get \(Measure.count(count, "event")): too many events were queued")
        }
    }

    private static func record(_ outcome: RetentionOutcome) -> LogRecord {
        if let problem = outcome.problem {
            return LogRecord(
                .error, "retention failed",
                sentence: "something is wrong with the recordings folder (\(problem)); no old recording is deleted "
                    + "until this is fixed")
        }
        let (gone, refused) = (
            outcome.deletions.filter { $0.refusal == nil }, outcome.deletions.filter { $0.refusal != nil }
        )
        let refusal = refused.first?.refusal?.why
        let bytes = gone.reduce(Int64(0)) { $0 + $1.bytes }
        // A deletion may be one file of an endless recording, so files are counted.
        let files = { (deletions: [RetentionOutcome.Deletion]) in
            Measure.count(deletions.reduce(0) { $0 + $1.paths.count }, "old file")
        }
        var parts: [String] = []
        if !gone.isEmpty {
            parts.append("deleted \(files(gone)) (\(Measure.bytes(bytes)))")
        }
        if let refusal {
            parts.append("\(files(refused)) could not be deleted: \(refusal)")
        }
        if outcome.isLow {
            parts.append(
                "the disk has only \(Measure.bytes(outcome.free ?? 0)) free, not the \(Measure.bytes(outcome.floor)) "
                    + "that should be free")
        }
        if outcome.isOutOfReach { parts.append(outOfReach(floor: outcome.floor)) }
        if let waiting = outcome.waiting { parts.append(line(waiting)) }
        if parts.isEmpty { parts.append("the disk has enough room again") }
        return LogRecord(
            outcome.isLow || !refused.isEmpty || outcome.waiting != nil ? .warning : .notice,
            outcome.isLow ? "disk low" : "retention",
            [
                .init("deleted", "\(gone.count)"), .init("bytes", "\(bytes)"),
                .init("free", outcome.free.map { "\($0)" } ?? "unknown"),
            ], sentence: parts.joined(separator: "; "),
            // Each run repeats the same refusal, so it is counted. But an entry with deletions is always logged.
            fault: gone.isEmpty ? refusal.map { "\(undeletable)\(outcome.isLow ? "low, " : "")\($0)" } : nil,
            ends: refusal == nil ? undeletable : nil)
    }

    /// What changed rules will delete, and what may be done about it.
    private static func line(_ waiting: RetentionOutcome.Waiting) -> String {
        let what = "\(Measure.count(waiting.files, "file")) (\(Measure.bytes(waiting.bytes)))"
        return "the rules have changed, and will delete \(what) that were kept before, from "
            + "\(Measure.minute(waiting.until.rfc3339)) on: 'aircheck recordings clean' lists them"
    }

    /// Why nothing is deleted to free space.
    package static func outOfReach(floor: Int64) -> String {
        "deleting every recording that may be deleted would not free \(Measure.bytes(floor)), so none is deleted for "
            + "free-space"
    }

    /// The prefix of the names of faults that prevent deleting recordings.
    private static let undeletable = "not deleted: "

    private static func record(_ notice: CatalogThread.Notice) -> LogRecord? {
        switch notice {
        case .opened(let opening):
            guard let aside = opening.setAside else { return nil }
            return LogRecord(
                .error, "catalog set aside", [.init("file", aside)],
                sentence: "the catalog was damaged (\(opening.damage ?? "")) and is rebuilt; its old file is \(aside)")
        case .failed(let error):
            return LogRecord(.error, "catalog failed", sentence: "\(error)", fault: "catalog \(error)")
        case .deleted:
            return LogRecord(
                .error, "catalog deleted", sentence: "the catalog's file was deleted; the catalog is being rebuilt")
        case .fellBehind(let again):
            guard !again else { return nil }
            return LogRecord(
                .warning, "catalog behind",
                sentence: "the catalog has missed changes, and will be rebuilt as soon as it can be used")
        }
    }

    private static func record(_ notice: StationNotice, of station: String, now: WallInstant) -> LogRecord? {
        guard let line = line(notice, now: now) else { return nil }
        let fields = [LogRecord.Field("station", station)]
        let sentence = "[\(station)] \(line)"
        switch notice {
        case .failed(let failure, _):
            return LogRecord(
                failure.failureClass.needsPerson ? .error : .warning, "station failed",
                fields + [.init("class", failure.failureClass.rawValue)], sentence: sentence,
                fault: "\(station) \(failure.failureClass.rawValue) \(failure.message)")
        case .gap(let gap):
            return LogRecord(
                .warning, "gap",
                fields + [.init("seconds", gap.length.map(Measure.seconds) ?? "unknown")], sentence: sentence)
        case .connected: return LogRecord(.info, "connected", fields, sentence: sentence)
        case .changed(_, let info):
            return LogRecord(.warning, "station changed", fields + [.init("to", info.name)], sentence: sentence)
        case .renamed(let info, let old):
            return LogRecord(
                .warning, "station renamed", fields + [.init("from", old), .init("to", info.icyName ?? info.name)],
                sentence: sentence)
        case .chose: return LogRecord(.warning, "station chosen", fields, sentence: sentence)
        case .live: return LogRecord(.info, "live", fields, sentence: sentence)
        case .spliced: return LogRecord(.info, "spliced", fields, sentence: sentence)
        case .stretch: return LogRecord(.info, "stretch", fields, sentence: sentence)
        case .mayBeIncomplete: return LogRecord(.warning, "may be incomplete", fields, sentence: sentence)
        case .attachmentsLeftOut: return LogRecord(.info, "attachments left out", fields, sentence: sentence)
        case .followedPlaylist: return LogRecord(.debug, "playlist", fields, sentence: sentence)
        case .connecting, .answered, .hedging, .hedgeFailed, .returning, .skipped:
            return LogRecord(.debug, "connection", fields, sentence: sentence)
        }
    }

    private static func record(_ notice: UseNotice, of key: UseKey) -> LogRecord? {
        guard let line = line(notice) else { return nil }
        let sentence = "[\(key.station)] \(line)"
        // Of the notices that do not come from a recorder, only a failed fallback is a warning: the player has log
        // entries of its own.
        if case .fallback = notice, Detail(notice) == .needed {
            return LogRecord(.warning, "fallback failed", fields(key), sentence: sentence)
        }
        guard case .recorder(let notice) = notice else {
            return LogRecord(.debug, "use", fields(key), sentence: sentence)
        }
        switch notice {
        case .began(let path, _), .cut(let path, _):
            return LogRecord(.info, "file begun", fields(key) + [.init("file", path)], sentence: sentence)
        case .finished(let segment):
            return LogRecord(.info, "file finished", fields(key) + [.init("file", segment.path)], sentence: sentence)
        case .rewritten: return nil
        case .recovered(let file):
            return LogRecord(.notice, "file recovered", fields(key) + [.init("file", file.path)], sentence: sentence)
        case .failing(let error):
            return LogRecord(
                .error, "cannot write", fields(key), sentence: sentence, fault: writing(key) + error.message)
        case .resumed:
            return LogRecord(.notice, "writing again", fields(key), sentence: sentence, ends: writing(key))
        case .lost, .missingBefore: return LogRecord(.error, "audio lost", fields(key), sentence: sentence)
        case .leftBehind(let path, _):
            return LogRecord(.error, "file left behind", fields(key) + [.init("file", path)], sentence: sentence)
        case .flawed(let error):
            return LogRecord(
                .warning, error.action == .patch ? "head flawed" : "sidecar flawed", fields(key), sentence: sentence,
                fault: "\(key.station) \(error.message)")
        case .noTitles: return LogRecord(.warning, "no titles", fields(key), sentence: sentence)
        }
    }

    /// The prefix of the names of a player's faults.
    private static func noSound(_ station: String) -> String { "no sound \(station):" }

    /// The prefix of the names of a recording's write faults.
    private static func writing(_ key: UseKey) -> String { "writing \(key): " }

    private static func record(_ airing: ShowAiring, _ result: RecordingResult) -> LogRecord {
        let name =
            "[\(airing.station)] \(airing.show.name) of \(airing.airing.date)"
            + (airing.airing.time.map { " at \($0)" } ?? "")
        let fields = fields(airing.key) + missing(result)
        switch result.verdict {
        case .complete:
            return LogRecord(.notice, "show recorded", fields, sentence: "\(name) was recorded completely")
        case .incomplete:
            return LogRecord(
                .warning, "show incomplete", fields,
                sentence: "\(name) was recorded, but \(Measure.length(result.lost)) of it are missing\(why(result))")
        case .unknown:
            return LogRecord(.warning, "show unknown", fields, sentence: "\(name) is over, but \(unknown)")
        case .missed:
            return LogRecord(
                .error, "show missed", fields, sentence: "\(name) was missed: none of it was recorded\(why(result))")
        }
    }

    /// How much is missing, and why.
    private static func missing(_ result: RecordingResult) -> [LogRecord.Field] {
        [.init("missing", Measure.seconds(result.lost))] + (result.cause.map { [.init("cause", $0)] } ?? [])
    }

    /// The reason, to be appended to a sentence.
    private static func why(_ result: RecordingResult) -> String { result.cause.map { " (\($0))" } ?? "" }

    private static let unknown = "it is not known how much of it was recorded: the catalog does not answer"

    private static func record(_ recording: ManualRecording, _ result: RecordingResult) -> LogRecord {
        let name = "[\(recording.station)] recording no. \(recording.number)"
        let fields =
            fields(recording.key) + [.init("number", "\(recording.number)")] + missing(result)
        switch result.verdict {
        case .complete: return LogRecord(.notice, "recording complete", fields, sentence: "\(name) is complete")
        case .incomplete:
            return LogRecord(
                .warning, "recording incomplete", fields,
                sentence: "\(name) is over, but \(Measure.length(result.lost)) of it are missing\(why(result))")
        case .unknown:
            return LogRecord(.warning, "recording unknown", fields, sentence: "\(name) is over, but \(unknown)")
        case .missed:
            return LogRecord(
                .error, "recording missed", fields,
                sentence: "\(name) is over, but none of it was recorded\(why(result))")
        }
    }

    private static let notListening = "not listening"
    private static let accessLogFailed = "access log failed"

    /// Appended to the reason why listening on an address failed.
    package static let isTriedAgain = "Aircheck tries again every few seconds"

    private static func fault(
        _ level: LogRecord.Level, _ message: String, _ fields: [LogRecord.Field], _ failure: Failure
    ) -> LogRecord {
        let station = fields.first { $0.name == "station" }.map { "[\($0.value)] " } ?? ""
        return LogRecord(
            level, message, fields + [.init("class", failure.failureClass.rawValue)], sentence: "\(station)\(failure)",
            fault: "\(station)\(message) \(failure.message)")
    }

    private static func fields(_ key: UseKey) -> [LogRecord.Field] {
        var fields = [LogRecord.Field("station", key.station)]
        if let broadcast = key.broadcast {
            fields += [.init("show", broadcast.show), .init("date", "\(broadcast.date)")]
            // In the JSON of the log, `time` is the time of the line.
            if let time = broadcast.time { fields.append(.init("show_time", "\(time)")) }
        }
        return fields
    }

    private static func name(_ key: UseKey) -> String {
        guard let broadcast = key.broadcast else { return key.station }
        let time = broadcast.time.map { " at \($0)" } ?? ""
        return "\(key.station)'s \(broadcast.show) of \(broadcast.date)\(time)"
    }
}
