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
    /// stations and shows.
    package init?(
        _ event: DaemonEvent, _ configuration: Configuration, at now: WallInstant, in zone: any TimeZoneRules
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
            (seconds, bytes, gaps) = (report.seconds, report.bytes, report.gaps.count)
            cause = outcome.failure?.message
        case .showEnded(let airing, let result):
            self.init(result.verdict, of: airing.key, lost: result.lost, configuration, at: now, in: zone)
            (recordings, files) = (result.recordings, result.files)
        case .manualEnded(let recording, let result):
            self.init(result.verdict, of: recording.key, lost: result.lost, configuration, at: now, in: zone)
            (recordings, files) = (result.recordings, result.files)
        case .station(let id, .gap(let gap)):
            self.init(.gap, at: now, in: zone)
            name(id, configuration)
            seconds = gap.length?.inSeconds
            cause = gap.cause
        case .use(let key, .recorder(.lost(let gap))):
            self.init(.gap, at: now, in: zone)
            name(key, configuration)
            seconds = gap.milliseconds.map { Double($0) / 1_000 }
            cause = gap.cause
        case .use(let key, .recorder(.failing(let error))) where error.code != .noSpace:
            self.init(.diskFailing, at: now, in: zone)
            name(key, configuration)
            cause = error.message
        case .stationDown(let id, let failure):
            self.init(.stationDown, at: now, in: zone)
            name(id, configuration)
            cause = failure?.message
        case .stationBack(let id, let time):
            self.init(.stationBack, at: now, in: zone)
            name(id, configuration)
            seconds = time.inSeconds
        case .retention(let outcome) where outcome.hasBecomeLow:
            self.init(.diskLow, at: now, in: zone)
            bytes = outcome.free
        case .doubtful, .soundLost, .soundBack, .listening, .notListening, .configured, .notConfigured, .recovered,
            .station, .use, .failed, .retention, .catalog, .catalogRebuilt, .mended, .hook, .clockNotSet,
            .notRemembered, .showRefused, .notStarted, .wrongPassword, .unknownHost, .usersUnusable, .accessLog,
            .stopped:
            // A refused show may still be recorded in part. ``DaemonEvent/showEnded`` has the result.
            return nil
        }
    }

    /// The event for the result of a show or a manual recording; nil if nothing is missing.
    private init?(
        _ verdict: RecordingResult.Verdict, of key: UseKey, lost: Duration, _ configuration: Configuration,
        at now: WallInstant, in zone: any TimeZoneRules
    ) {
        switch verdict {
        case .complete: return nil
        case .incomplete, .unknown: self.init(.recordingIncomplete, at: now, in: zone)
        case .missed: self.init(.showMissed, at: now, in: zone)
        }
        name(key, configuration)
        if verdict == .unknown { cause = Self.noAnswer } else { seconds = lost.inSeconds }
    }

    private static let noAnswer = "the catalog does not answer, so it is not known how much was recorded"

    private mutating func name(_ id: String, _ configuration: Configuration) {
        station = id
        stationName = configuration.stations.first { $0.id == id }?.name
    }

    private mutating func name(_ key: UseKey, _ configuration: Configuration) {
        name(key.station, configuration)
        guard case .airing(let id, _) = key.kind else { return }
        show = id
        let station = configuration.stations.first { $0.id == key.station }
        showName = station?.shows.first { $0.show.id == id }?.show.name
    }
}
