// SPDX-License-Identifier: MIT

package import Configuration
import Engine
package import Instants
package import RadioCore
import Recorder
import Stations
import Storage

extension HookEvent {
    /// The event for hooks that a daemon's event causes; nil if it causes none. `configuration` supplies the names of
    /// stations and shows. `underWay`: the files that recordings of a station write at the moment.
    package init?(
        _ event: DaemonEvent, _ configuration: Configuration, at now: WallInstant, in zone: any TimeZoneRules,
        underWay: (_ station: String) -> [FileUnderWay] = { _ in [] }
    ) {
        switch event {
        case .recordingBegan(let key, let recording, let path, _):
            self.init(.recordingStarted, at: now, in: zone)
            name(key, configuration)
            self.recording = recording
            files = [path]
        case .recordingEnded(let key, let recording, let outcome):
            let report = outcome.report
            guard report.frames > 0 else { return nil }
            self.init(.recordingFinished, at: now, in: zone)
            name(key, configuration)
            self.recording = recording
            files = report.files
            (seconds, bytes, gaps) = (report.length.inSeconds, report.bytes, report.gaps.count)
            cause = outcome.failure?.message
        case .fileFinished(let file):
            self.init(.fileFinished, at: now, in: zone)
            name(file, configuration)
            isRecovered = file.isRecovered
            (seconds, bytes) = (file.seconds, file.bytes)
        case .showEnded(let airing, let result):
            self.init(result, of: airing.key, configuration, at: now, in: zone)
            date = airing.airing.date
        case .manualEnded(let recording, let result):
            self.init(result, of: recording.key, configuration, at: now, in: zone)
        case .lateGap(let gap, let file):
            self.init(.gap, at: now, in: zone)
            let length = gap.milliseconds.map { Duration.milliseconds($0) }
            note(gapAt: gap.at.instant, length, gap.cause, in: [], configuration, zone)
            name(file, configuration)
        case .station(let id, .gap(let gap)):
            self.init(.gap, at: now, in: zone)
            name(id, configuration)
            let files = underWay(id).filter { $0.file != nil }
            note(gapAt: gap.at, gap.length, gap.cause, in: files, configuration, zone)
        case .use(let key, .recorder(.lost(let gap))), .use(let key, .recorder(.missingBefore(let gap))):
            self.init(.gap, at: now, in: zone)
            name(key, configuration)
            let recordings = underWay(key.station).filter { $0.key == key }
            let length = gap.milliseconds.map { Duration.milliseconds($0) }
            note(gapAt: gap.at.instant, length, gap.cause, in: recordings, configuration, zone)
            // The recording may have further files by now.
            if case .use(_, .recorder(.missingBefore)) = event { files = recordings.compactMap(\.firstFile) }
        case .use(let key, .recorder(.failing(let error))) where error.code != .noSpace:
            self.init(.diskFailing, at: now, in: zone)
            name(key, configuration)
            cause = error.message
        case .writingAgain(let station, let key):
            self.init(.diskWell, at: now, in: zone)
            name(station, configuration)
            if let key { name(key, configuration) }
        case .stationDown(let id, let failure):
            self.init(.stationDown, at: now, in: zone)
            name(id, configuration)
            cause = failure?.message
        case .stationBack(let id, let time), .stationUnneeded(let id, let time):
            self.init(.stationBack, at: now, in: zone)
            name(id, configuration)
            seconds = time.inSeconds
            if case .stationUnneeded = event { cause = Self.notNeeded }
        case .disk(let level, let free):
            self.init(level == .well ? .diskWell : .diskLow, at: now, in: zone)
            bytes = free
            if level == .full { cause = Self.recordingsWait }
        case .doubtful, .soundLost, .soundBack, .listening, .notListening, .configured, .notConfigured, .recovered,
            .station, .use, .failed, .retention, .catalog, .catalogRebuilt, .rebuildFound, .hook, .clockNotSet,
            .notRemembered, .showRefused, .notStarted, .wrongPassword, .unknownHost, .usersUnusable, .accessLog,
            .stopped:
            // A refused show may still be recorded in part. ``DaemonEvent/showEnded`` has the result.
            return nil
        }
    }

    /// The event for the result of a show or a manual recording; nil if nothing of a manual recording is missing.
    private init?(
        _ result: RecordingResult, of key: UseKey, _ configuration: Configuration, at now: WallInstant,
        in zone: any TimeZoneRules
    ) {
        switch result.verdict {
        case .complete:
            guard key.broadcast != nil else { return nil }
            self.init(.showComplete, at: now, in: zone)
        case .incomplete, .unknown: self.init(.recordingIncomplete, at: now, in: zone)
        case .missed: self.init(.showMissed, at: now, in: zone)
        }
        name(key, configuration)
        (recordings, files) = (result.recordings, result.files)
        note(result.window.lowerBound, result.window.upperBound, zone)
        guard result.verdict != .unknown else {
            cause = Self.noAnswer
            return
        }
        seconds = result.lost.inSeconds
        cause = result.cause
        missing = result.missing.map {
            Missing(from: CivilTime($0.lowerBound, in: zone), until: CivilTime($0.upperBound, in: zone))
        }
    }

    private mutating func note(_ from: WallInstant, _ until: WallInstant?, _ zone: any TimeZoneRules) {
        let begin = CivilTime(from, in: zone)
        self.from = begin
        self.until = until.map { CivilTime($0, in: zone) }
        date = CalendarDate(begin)
    }

    /// Notes a gap, and the files that have it. If it is in the recording of one show alone, that show is named.
    private mutating func note(
        gapAt start: WallInstant, _ length: Duration?, _ cause: String, in underWay: [FileUnderWay],
        _ configuration: Configuration, _ zone: any TimeZoneRules
    ) {
        note(start, length.map { start + $0 }, zone)
        seconds = length?.inSeconds
        self.cause = cause
        files = underWay.compactMap(\.file)
        guard underWay.count == 1, let only = underWay.first else { return recordings = underWay.map(\.recording) }
        recording = only.recording
        name(only.key, configuration)
        if let broadcast = only.key.broadcast { date = broadcast.date }
    }

    private static let notNeeded = "nothing records, plays or relays it now"
    private static let recordingsWait = "the disk is full: recordings wait until there is room"
    private static let noAnswer = "the catalog does not answer, so it is not known how much was recorded"

    private mutating func name(_ id: String, _ configuration: Configuration) {
        station = id
        stationName = configuration.stations.first { $0.id == id }?.name
    }

    private mutating func name(_ file: FinishedFile, _ configuration: Configuration) {
        if let station = file.station { name(station, configuration) }
        if let show = file.show { name(show: show, configuration) }
        (stationName, showName) = (stationName ?? file.stationName, showName ?? file.showName)
        (recording, files) = (file.recording, [file.path])
    }

    private mutating func name(_ key: UseKey, _ configuration: Configuration) {
        name(key.station, configuration)
        if let broadcast = key.broadcast { name(show: broadcast.show, configuration) }
    }

    /// Names a show of the event's station.
    private mutating func name(show id: String, _ configuration: Configuration) {
        show = id
        let settings = configuration.stations.first { $0.id == station }
        showName = settings?.shows.first { $0.show.id == id }?.show.name
    }
}
