// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Engine
import EventLoop
import Instants
import RadioCore
import Recorder
import Storage

/// Reports the result of each broadcast once, after its last recording has ended.
///
/// A broadcast that went unobserved, for example because no daemon ran, is reported as well. An earlier run of the
/// daemon may have recorded a part of a broadcast, so the files in the catalog count, too. Therefore, after the start
/// of the daemon, results wait until the files of earlier runs are complete and the catalog knows all files.
final class ShowVerdicts {
    private let context: DaemonContext
    private var tallies = ShowTallies()
    private var unseen = UnseenShows()
    /// The newest shows that earlier runs of the daemon have judged.
    private var judged: Set<BroadcastID> = []
    /// The shows whose results were reported as unknown.
    private var unknown: Set<BroadcastID> = []
    /// The shows with unknown results that are judged again, with what this run has recorded of them.
    private var doubtful: [(airing: ShowAiring, own: RecordingResult)] = []
    private lazy var doubtTimer = reactor.makeTimer { [weak self] in self?.judgeDoubtful() }
    private var pending = PendingVerdicts()
    private let questions: TimedQuestions
    private let began: MonotonicInstant
    private let signs: SignsOfLife
    /// The ends of the shows that are over, but not judged yet, or with unknown results.
    private var due: [UseKey: WallInstant] = [:]
    /// Returns the zone in which the times of a show are written down.
    var zone: (Show) -> any TimeZoneRules = { _ in FixedZone.utc }
    /// The shows whose recordings lately came to their end, and when.
    private var over: [UseKey: MonotonicInstant] = [:]

    /// Whether the clock was set forward in a span.
    var wasSetForward: (Range<WallInstant>) -> Bool = { _ in false }

    /// Divides a span in which audio is missing by causes.
    var whyMissing: (Asked, Range<WallInstant>) -> [RecordingResult.Cause] = { _, _ in [] }

    /// Returns the scheduled start that the recordings of a broadcast have.
    var start: (ShowAiring) -> WallInstant = { $0.window.lowerBound }

    init(_ context: DaemonContext, questions: TimedQuestions, signs: SignsOfLife) {
        self.context = context
        self.questions = questions
        self.signs = signs
        began = context.reactor.now
        signs.judgedUntil = { [weak self] in self?.judged(until: $0) ?? $0 }
    }

    private var reactor: any Reactor { context.reactor }

    // MARK: Shows under way

    /// The shows that are on, and the shows that are over but whose uses have not ended.
    var airings: [ShowAiring] { tallies.airings }

    /// The recording window of a show that is on; nil if the show is not on.
    func window(of key: UseKey) -> Range<WallInstant>? { tallies.window(of: key) }

    /// Begins a tally for each show of this moment. `broadcast` returns a broadcast as it is now. Returns the shows
    /// that are newly refused.
    func update(_ present: ShowCalendar.Present, _ broadcast: (UseKey) -> ShowAiring?) -> [ShowAiring] {
        tallies.update(present, broadcast, at: reactor.wallNow)
    }

    /// Adds a recording of a show; `recording` is its ID.
    func add(_ recording: String, _ report: RecordingReport, to key: UseKey) {
        tallies.add(recording, report, to: key)
    }

    /// Judges the shows that are over and whose uses have ended. Until a use has ended, it may still report a
    /// recording.
    func settle(isRunning: (UseKey) -> Bool) {
        let settled = tallies.settle(at: reactor.wallNow, isRunning: isRunning)
        for (airing, own) in settled {
            if !wasSetForward(airing.window) { over[airing.key] = reactor.now }
            judge(airing, with: own)
        }
    }

    /// Whether the recording of a show has come to its end, although the clock says that the show is on: a time server
    /// has set it back by some seconds. A show that is on for longer than that is recorded again, and so is a show that
    /// seemed to be over because the clock had been set forward.
    func isOver(_ airing: ShowAiring) -> Bool {
        over = over.filter { reactor.now - $0.value < Self.longestRepeat }
        return over[airing.key] != nil && airing.window.upperBound - reactor.wallNow < ShowCalendar.rest
    }

    /// How long it matters that a show is over.
    private static let longestRepeat = Duration.seconds(600)

    // MARK: Unseen shows

    /// Takes over what earlier runs of the daemon have judged: every show up to a time, some shows after it, and which
    /// they have reported as unknown.
    func note(judgedUntil: WallInstant, judged: Set<BroadcastID>, unknown: Set<BroadcastID>) {
        unseen.note(lastRun: judgedUntil)
        (self.judged, self.unknown) = (judged, unknown)
    }

    /// Judges the shows that came and went unobserved before this moment. Call it often while the clock is set.
    func judgeUnseen(in calendar: ShowCalendar) {
        guard let span = unseen.look(at: reactor.wallNow) else { return }
        for airing in calendar.airings(endedIn: span.ends)
        where airing.window.lowerBound > span.begins && !judged.contains(BroadcastID(airing)) {
            judge(airing, with: RecordingResult(window: airing.window, coverages: []))
        }
    }

    /// The time up to which every show has been judged, as earlier runs have reported them, too.
    private func judged(until now: WallInstant) -> WallInstant {
        // To the millisecond, as the file has it.
        let open = (tallies.unsettledEnds(at: now) + due.values).map { $0 - .milliseconds(1) }
        return (open + [unseen.lastRun ?? now, now]).min() ?? now
    }

    // MARK: Preconditions

    /// Whether the files of earlier runs are complete, and the catalog knows all files.
    var knowsFiles: Bool { pending.isReady }

    /// Postpones verdicts while files from earlier runs are being completed.
    func recoveryBegins() { pending.isRecovered = false }

    /// Passes the verdicts that waited for the recovery of files from earlier runs, which has ended.
    func recoveryEnded() {
        pending.isRecovered = true
        judgePending()
    }

    /// Postpones verdicts, because the catalog is about to be rebuilt.
    func catalogBehind() { pending.isCataloged = false }

    /// Passes the verdicts that waited for the catalog, which is as complete as it can be.
    func catalogReady() {
        pending.isCataloged = true
        judgePending()
    }

    private func judgePending() {
        let verdicts = pending.take()
        for (airing, own) in verdicts { judge(airing, with: own, waits: false) }
    }
}

// MARK: - Judging

extension ShowVerdicts {
    /// Reports the result of a show that is over. The result is determined from the files in the catalog and from
    /// `own`, the result of this run's recordings alone.
    /// `waits`: whether the result waits for the end of a rebuild of the catalog, if one is under way.
    private func judge(_ airing: ShowAiring, with own: RecordingResult, waits: Bool = true) {
        due[airing.key] = airing.window.upperBound
        guard let catalog = context.catalog else { return report(airing, own, and: own) }
        guard pending.isReady else { return pending.add(airing, own) }
        let (folder, start) = (context.storage.recordings, start(airing))
        let mayHaveBegunEarlier = reactor.readClocks().instant(of: airing.window.lowerBound) < began
        questions.ask(catalog, after: end(of: airing)) { store throws(CatalogError) -> Finding in
            // Somebody may have deleted the catalog, which then has no files yet.
            let isCurrent = try store.isCurrent
            guard isCurrent || !waits else { return .tooEarly }
            // What the catalog has missed may be of an earlier run.
            guard isCurrent || !mayHaveBegunEarlier else { return .result(own.withoutCatalog()) }
            return .result(try Self.result(of: airing, from: start, in: store, folder, and: own))
        } answer: { [weak self] (answer: Finding?) in
            guard let self else { return }
            var found: RecordingResult?
            switch answer {
            case .tooEarly?:
                pending.isCataloged = false
                return pending.add(airing, own)
            case .result(let result)?: found = result
            case nil: break
            }
            let result = found ?? (mayHaveBegunEarlier ? own.withoutCatalog() : own)
            guard found != nil, let span = result.missingBeginning(of: airing.window) else {
                return report(airing, result, and: own)
            }
            complete(airing, result, span, and: own, in: catalog)
        }
    }

    /// Copies the missing beginning of a show, then reports the result. If the copy takes too long, reports the result
    /// without it.
    private func complete(
        _ airing: ShowAiring, _ result: RecordingResult, _ span: Range<WallInstant>, and own: RecordingResult,
        in catalog: RecordingsCatalog
    ) {
        let (folder, start) = (context.storage.recordings, start(airing))
        let causes = result.explained { whyMissing(Asked(airing.key), $0) }.causes
        let beginning = ShowBeginning(airing: airing, start: start, folder: folder, causes: causes)
        let told = { [tell = context.tell, perform = context.perform] (added: ShowBeginning.Added) in
            perform(.tell(of: added.bundle))
            tell(.recordingEnded(airing.key, recording: added.recording, RecordingOutcome(added.segment)))
        }
        questions.ask(catalog, after: end(of: airing), atLeast: .zero) { store throws(CatalogError) -> Completed? in
            guard let added = try beginning.add(span, to: store) else { return nil }
            return Completed(
                beginning: added, result: try Self.result(of: airing, from: start, in: store, folder, and: own))
        } answer: { [weak self] (found: Completed??) in
            let completed = found ?? nil
            if let completed { told(completed.beginning) }
            self?.report(airing, completed?.result ?? result, and: own)
        } late: { completed in
            if let completed { told(completed.beginning) }
        }
    }

    /// Reports the result of a show, and enters it in the ledger of shows. An unknown result is reported once, and the
    /// show is judged again. If the clock was set back meanwhile, so that the show is still to be recorded, its result
    /// follows then.
    private func report(_ airing: ShowAiring, _ found: RecordingResult, and own: RecordingResult) {
        guard airing.window.upperBound <= reactor.wallNow || isOver(airing) else { return due[airing.key] = nil }
        let result = found.explained { whyMissing(Asked(airing.key), $0) }
        if result.verdict == .unknown {
            doubt(airing, own)
            guard unknown.insert(BroadcastID(airing)).inserted else { return }
        } else {
            unknown.remove(BroadcastID(airing))
            due[airing.key] = nil
        }
        let entry = BroadcastRecord(airing: airing, result: result, zone: zone(airing.show)).json
        context.catalog?.shows.keep(entry)
        context.tell(.showEnded(airing, result))
        // Entry and time are stored at once, so that after a crash the next run does not report this show again.
        signs.give()
    }

    /// Has a show with an unknown result judged again, unless it was over long ago: it will not be known any more.
    private func doubt(_ airing: ShowAiring, _ own: RecordingResult) {
        guard doubtful.count < Self.mostDoubtful, reactor.wallNow - airing.window.upperBound < Self.longestDoubt else {
            return due[airing.key] = nil
        }
        doubtful.append((airing, own))
        if !doubtTimer.isArmed { doubtTimer.arm(at: reactor.now + Self.doubtPause) }
    }

    private func judgeDoubtful() {
        let again = doubtful
        doubtful = []
        for (airing, own) in again { judge(airing, with: own, waits: false) }
    }

    private static let doubtPause = Duration.seconds(60)
    private static let longestDoubt = Duration.seconds(86_400)
    private static let mostDoubtful = 100

    /// What the catalog answers about a show.
    private enum Finding: Sendable {
        /// The catalog does not know all files yet.
        case tooEarly
        case result(RecordingResult)
    }

    /// The copied beginning of a show, and the result of the show with that beginning.
    private struct Completed: Sendable {
        var beginning: ShowBeginning.Added
        var result: RecordingResult
    }

    private func end(of airing: ShowAiring) -> MonotonicInstant {
        reactor.readClocks().instant(of: airing.window.upperBound)
    }

    private static func result(
        of airing: ShowAiring, from start: WallInstant, in store: CatalogStore, _ folder: String,
        and own: RecordingResult
    ) throws(CatalogError) -> RecordingResult {
        RecordingResult(
            window: airing.window,
            try store.coverage(station: airing.station, show: airing.show.id, from: start),
            in: folder, and: own)
    }
}

extension RecordingOutcome {
    /// A recording of one file.
    fileprivate init(_ segment: RecordedSegment) {
        var report = RecordingReport()
        report.segments = [segment]
        (report.frames, report.bytes, report.seconds) = (segment.frames, segment.bytes, segment.seconds)
        self.init(report: report)
    }
}
