// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import Instants
import RadioCore
import Recorder
import Storage

// What hooks are sent about an occurrence.
extension Occurrence.Context {
    /// An event for hooks, with the names of its station and show. `facts` adds what else is known.
    func event(
        _ name: EventName, of subject: Occurrence.Subject, _ facts: (inout HookEvent) -> Void = { _ in }
    ) -> HookEvent {
        var event = HookEvent(name, at: now, in: zone)
        self.name(subject, in: &event)
        facts(&event)
        return event
    }

    func note(_ file: FinishedBundle, in event: inout HookEvent) {
        name(file, isOfEarlierRun: file.isRecovered, in: &event)
        let sidecar = file.sidecar
        (event.isRecovered, event.bytes) = (file.isRecovered, sidecar.bytes)
        event.seconds = sidecar.format.seconds(of: sidecar.samples)
    }

    /// The result of a show or a manual recording.
    func note(_ result: RecordingResult, in event: inout HookEvent) {
        (event.recordings, event.files) = (result.recordings, result.files)
        note(result.window.lowerBound, result.window.upperBound, in: &event)
        guard result.verdict != .unknown else {
            return event.cause = "the catalog does not answer, so it is not known how much was recorded"
        }
        (event.seconds, event.cause) = (result.lost.inSeconds, result.cause)
        event.missing = result.missing.map {
            .init(from: CivilTime($0.lowerBound, in: zone), until: CivilTime($0.upperBound, in: zone))
        }
    }

    /// A gap that became known when the file with it was finished.
    func event(_ gap: Sidecar.Gap, of file: FinishedBundle) -> HookEvent {
        event(.gap, of: .program) { event in
            note(gapAt: gap.at.instant, gap.length, gap.cause, in: [], &event)
            name(file, isOfEarlierRun: true, in: &event)
        }
    }

    /// A gap of a station, in all recordings that have begun.
    func event(_ gap: Gap, of station: String) -> HookEvent {
        event(.gap, of: .station(station)) {
            note(gapAt: gap.at, gap.length, gap.cause, in: underWay(station).filter { $0.file != nil }, &$0)
        }
    }

    /// Nil if hooks are not notified.
    func event(_ notice: RecorderNotice, of key: UseKey) -> HookEvent? {
        switch notice {
        case .lost(let gap), .missingBefore(let gap):
            let recordings = underWay(key.station).filter { $0.key == key }
            return event(.gap, of: .use(key)) { event in
                note(gapAt: gap.at.instant, gap.length, gap.cause, in: recordings, &event)
                // The recording may have further files by now.
                if case .missingBefore = notice { event.files = recordings.compactMap(\.firstFile) }
            }
        case .healed(let healed):
            return event(.recordingHealed, of: .use(key)) { event in
                let (start, length) = (healed.audio.at.instant, Duration.milliseconds(healed.audio.milliseconds))
                note(start, start + length, in: &event)
                (event.seconds, event.files) = (length.inSeconds, [healed.path])
                event.recording = underWay(key.station).first { $0.key == key }?.recording
                event.cause = "it came from \(healed.audio.by)"
            }
        // A full disk has an event of its own.
        case .failing(let error) where error.code != .noSpace:
            return event(.diskFailing, of: .use(key)) { $0.cause = error.message }
        default: return nil
        }
    }

    private func note(_ from: WallInstant, _ until: WallInstant?, in event: inout HookEvent) {
        let begin = CivilTime(from, in: zone)
        (event.from, event.until) = (begin, until.map { CivilTime($0, in: zone) })
        event.date = CalendarDate(begin)
    }

    /// Adds a gap, and the files that have it. If it is in the recording of one show alone, that show is named.
    private func note(
        gapAt start: WallInstant, _ length: Duration?, _ cause: String, in underWay: [FileUnderWay],
        _ event: inout HookEvent
    ) {
        note(start, length.map { start + $0 }, in: &event)
        (event.seconds, event.cause) = (length?.inSeconds, cause)
        event.files = underWay.compactMap(\.file)
        guard underWay.count == 1, let only = underWay.first else {
            return event.recordings = underWay.map(\.recording)
        }
        event.recording = only.recording
        name(.use(only.key), in: &event)
        if let broadcast = only.key.broadcast { event.date = broadcast.date }
    }

    private func name(_ subject: Occurrence.Subject, in event: inout HookEvent) {
        guard let id = subject.station else { return }
        event.station = id
        event.stationName = configuration.stations.first { $0.id == id }?.name
        if case .use(let key) = subject, let broadcast = key.broadcast { name(show: broadcast.show, in: &event) }
    }

    /// The configuration may lack the station or the show of an earlier run by now, so its sidecar names them.
    private func name(_ file: FinishedBundle, isOfEarlierRun: Bool, in event: inout HookEvent) {
        let sidecar = file.sidecar
        if let station = sidecar.stationID { name(.station(station), in: &event) }
        if let show = sidecar.show { name(show: show.id, in: &event) }
        if isOfEarlierRun {
            event.stationName = event.stationName ?? sidecar.station
            event.showName = event.showName ?? sidecar.show?.name
        }
        (event.recording, event.files) = (sidecar.recording, [file.path])
    }

    /// Names a show of the event's station.
    private func name(show id: String, in event: inout HookEvent) {
        event.show = id
        let station = configuration.stations.first { $0.id == event.station }
        event.showName = station?.shows.first { $0.show.id == id }?.show.name
    }
}

extension RecordingResult.Verdict {
    var event: EventName {
        switch self {
        case .complete: .showComplete
        case .incomplete, .unknown: .recordingIncomplete
        case .missed: .showMissed
        }
    }
}

extension Sidecar.Gap {
    fileprivate var length: Duration? { milliseconds.map { .milliseconds($0) } }
}
