// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Engine
import EventLoop
import Instants
import Platform
import RadioCore
import RadioFormats
import Recorder
import Storage

extension UseKey.Kind {
    /// A manual recording.
    package static func manual(_ number: Int) -> Self { Self("manual", rank: 0, number: number) }
}

/// Makes the recordings that users request, and reports the result of each once it is over. Writes the file from which
/// the next run of the daemon continues them.
final class ManualPurpose: Purpose {
    private let context: DaemonContext
    private let questions: TimedQuestions
    private let links: RecordingLinks
    private var recordings = ManualRecordings() {
        didSet { if recordings != oldValue { store() } }
    }
    private var stations: Set<String> = []
    /// When the file is to be written again; nil if the file lists no recordings.
    private var nextWrite: MonotonicInstant?
    /// The numbers of the recordings that are over and about which the catalog is asked.
    private var judging: Set<Int> = []
    /// When the recordings with unknown results are judged again, by their numbers.
    private var nextJudgement: [Int: MonotonicInstant] = [:]

    /// Called when a user's request has changed what should run.
    var onChange: () -> Void = {}

    /// Divides a span in which audio is missing by causes.
    var whyMissing: (Asked, Range<WallInstant>) -> [RecordingResult.Cause] = { _, _ in [] }

    /// How often the file is written while there are recordings. After a crash of the daemon, a recording may last
    /// longer than requested by this much.
    private static let interval = Duration.seconds(60)

    init(_ context: DaemonContext, questions: TimedQuestions, links: RecordingLinks) {
        self.context = context
        self.questions = questions
        self.links = links
    }

    private var reactor: any Reactor { context.reactor }

    /// Uses the stations of a configuration from now on. Recordings of stations that are not in it are then over.
    func use(_ settings: LoadedConfiguration) {
        stations = Set(settings.configuration.stations.map(\.id))
    }

    func add(to plan: inout RunningPlan, at moment: PlanMoment) {
        keep()
        let now = moment.clocks.now
        let present = all.filter { $0.span.upperBound > now || moment.isInUse($0.key) }
        let byStation = Dictionary(grouping: present, by: \.station)
        for station in moment.settings.configuration.stations {
            for recording in byStation[station.id] ?? [] {
                var use = RecordingPlan(of: station, in: moment.settings)
                use.span = .elapsed(recording.span)
                use.isProtected = true
                plan.add(recording.key, use, isOver: recording.span.upperBound <= now)
            }
        }
    }

    var nextChange: MonotonicInstant? { all.map(\.span.upperBound).filter { $0 > reactor.now }.min() }

    // MARK: Requests

    /// The recordings that are not over.
    var all: [ManualRecording] { recordings.all }

    /// Records a station from now on, for the given time. Returns nil if there is no such station, or if there are too
    /// many recordings.
    func record(_ station: String, for length: Duration) -> ManualRecording? {
        guard stations.contains(station), all.count < ManualRecordings.most else { return nil }
        let recording = recordings.add(station, reactor.now..<reactor.now + length)
        // In an earlier run, another recording may have had the same number.
        links.forget(recording.key)
        onChange()
        return recording
    }

    /// Ends a recording. Returns false if there is none with this number.
    func end(_ number: Int) -> Bool {
        guard recordings.remove(number) else { return false }
        onChange()
        return true
    }

    /// Continues the recordings of an earlier run, as stored in its file.
    func resume(_ json: JSONValue) {
        // With the clocks of this turn, a recording that is over is not begun.
        recordings = ManualRecordings(json: json, ClockReading(wall: reactor.wallNow, now: reactor.now))
        onChange()
    }

    // MARK: Results

    /// The span of air time of a recording, by the wall clock as it is set now; nil for other uses.
    func window(of key: UseKey) -> Range<WallInstant>? {
        recordings[key].map { reactor.readClocks().wall(at: $0.span) }
    }

    /// Adds a part to a recording once the part has its first file.
    func began(_ key: UseKey, _ part: String, at start: WallInstant) {
        recordings[key]?.began(part, at: reactor.readClocks().instant(of: start))
    }

    /// Completes a part of a recording that has ended.
    func ended(_ key: UseKey, _ part: String, _ report: RecordingReport) { recordings[key]?.ended(part, report) }

    /// Reports the recordings that are over and whose uses have ended. Call it often: unknown results are determined
    /// again each minute.
    func settle(isRunning: (UseKey) -> Bool, knowsFiles: Bool) {
        let mustWait = { [context] (recording: ManualRecording) in
            context.catalog != nil && !knowsFiles && !recording.catalogedParts.isEmpty
        }
        var settled = recordings
        settled.settle(at: reactor.now, stations: stations) { isRunning($0.key) || mustWait($0) }
        recordings = settled
        for recording in recordings.over where !mustWait(recording) {
            guard nextJudgement[recording.number].map({ $0 <= reactor.now }) ?? true,
                judging.insert(recording.number).inserted
            else { continue }
            judge(recording)
        }
    }

    private func judge(_ recording: ManualRecording) {
        let parts = recording.catalogedParts
        guard let catalog = context.catalog, !parts.isEmpty else { return report(recording, CatalogCoverage()) }
        questions.ask(catalog, after: recording.span.upperBound) { store throws(CatalogError) -> CatalogCoverage? in
            try store.isCurrent ? try store.coverage(ofRecordings: parts) : nil
        } answer: { [weak self] (coverage: CatalogCoverage??) in
            self?.report(recording, coverage ?? nil)
        }
    }

    /// Reports a result. An unknown one is reported once, and the recording is judged again, unless it was over long
    /// ago.
    private func report(_ recording: ManualRecording, _ coverage: CatalogCoverage?) {
        let result = recording.result(coverage, in: context.storage.recordings, reactor.readClocks())
        let isUnknown = result.verdict == .unknown
        let isDoubtful = isUnknown && reactor.now - recording.span.upperBound < Self.longestDoubt
        judging.remove(recording.number)
        nextJudgement[recording.number] = isDoubtful ? reactor.now + Self.doubtPause : nil
        if !isUnknown || !recording.isUnknown {
            context.tell(.manualEnded(recording, result.explained { whyMissing(Asked(recording.key), $0) }))
        }
        recordings.judged(recording.number, isUnknown: isDoubtful)
    }

    private static let doubtPause = Duration.seconds(60)
    private static let longestDoubt = Duration.seconds(86_400)

    // MARK: The file

    /// Writes the file again if that is due. Call it often.
    private func keep() {
        if let nextWrite, nextWrite <= reactor.now { store() }
    }

    /// Rewrites the file after a step of the wall clock, because the times in it refer to the clock before the step.
    func clockStepped() {
        if !all.isEmpty || !recordings.over.isEmpty { store() }
    }

    private func store() {
        // The next write is scheduled before this write has ended. If this write succeeds and no recordings are left,
        // `stored(_:)` cancels the next one.
        nextWrite = reactor.now + Self.interval
        let json = recordings.json(reactor.readClocks())
        context.store(json, in: ManualRecordings.fileName, .pretty) { [weak self] in self?.stored($0) }
    }

    /// Tells if the file could not be written, and lets ``keep()`` try again.
    private func stored(_ fault: SystemError?) {
        guard let fault else {
            if all.isEmpty { nextWrite = nil }
            return
        }
        nextWrite = reactor.now
        context.tell(
            .notRemembered(
                Failure(
                    .storage, "the manual recordings could not be saved in \(context.storage.state): \(fault)",
                    remedy: "free some space there; until then, a restart forgets these recordings")))
    }
}
