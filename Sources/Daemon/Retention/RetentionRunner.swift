// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Engine
import EventLoop
import Instants
import Recorder
import Storage

/// Runs retention every few minutes, and more often while a recording finds the disk full. A run blocks the catalog's
/// thread. People hear of a run if it deleted recordings or failed to, if the recordings folder cannot be used, or if
/// the disk has become too full or has room again.
final class RetentionRunner: DaemonPart {
    private let context: DaemonContext
    private let planner: Planner
    private let unfinished: () -> UnfinishedRecordings
    /// Decides what people are told about the disk.
    var alarm = DiskAlarm()
    private var news = RetentionNews()
    private var rules = RetentionRules.none
    /// Which rules may delete, as of the last run; nil before it.
    private var consent: RetentionConsent?
    /// When the last run began that knows which rules may delete; nil before it.
    private var lastLook: MonotonicInstant?
    /// Whether somebody has agreed to the present rules, so that they need not wait before they delete more than
    /// before.
    var isAgreed = false
    private var isUnderWay = false
    private var lastEnd: MonotonicInstant?
    /// The free bytes of the recordings' disk, as measured in the last few minutes; nil if unknown.
    private(set) var free: Int64?
    /// The uses whose recordings find the disk full.
    private var crowded: Set<UseID> = []
    private var isStopped = false
    /// Called when the disk has room again, if people were told that it had not.
    var onRoom: () -> Void = {}
    private lazy var timer = reactor.makeTimer { [weak self] in self?.due() }

    private static let firstPause = Duration.seconds(10)
    private static let shortPause = Duration.seconds(1)
    private static let interval = Duration.seconds(300)
    /// The shortest time between two runs for a full disk. The runs must not be closer, because file systems may report
    /// freed space late, and many recordings may find the disk full at once.
    private static let fullDiskInterval = Duration.seconds(30)

    /// `unfinished` returns the recordings that are not over.
    init(_ context: DaemonContext, _ planner: Planner, unfinished: @escaping () -> UnfinishedRecordings) {
        (self.context, self.planner, self.unfinished) = (context, planner, unfinished)
    }

    private var reactor: any Reactor { context.reactor }

    func use(_ configuration: Configuration) {
        (rules, isAgreed) = (RetentionRules(configuration), false)
        timer.arm(at: reactor.now + Self.firstPause)
    }

    /// Makes the next run begin in a moment.
    func runSoon() {
        if !isStopped { timer.arm(at: reactor.now + Self.shortPause) }
    }

    func stop() {
        isStopped = true
        timer.cancel()
    }

    /// Determines what a run would delete now.
    func ask(_ answer: @escaping @Sendable (Result<RetentionOutcome, CatalogError>) -> Void) {
        guard let catalog = context.catalog else { return answer(.failure(.failed(0, "there is no catalog"))) }
        let run = makeRun(catalog, isDryRun: true)
        catalog.ask({ store throws(CatalogError) in try run.perform(store) }, answer: answer)
    }

    // MARK: The disk

    /// Runs retention more often while a recording finds the disk full, because a recording can be deleted only once it
    /// is finished.
    func hear(_ notice: UseNotice, of use: UseID, _ key: UseKey) {
        switch notice {
        case .recorder(.failing(let error)) where error.code == .noSpace:
            let isFirst = crowded.isEmpty
            crowded.insert(use)
            guard isFirst else { break }
            if lastEnd.map({ reactor.now - $0 >= Self.fullDiskInterval }) ?? true { run() }
            timer.arm(at: reactor.now + Self.fullDiskInterval)
        case .recorder(.resumed): crowded.remove(use)
        default: break
        }
    }

    /// Whether a recording waits for room at present.
    var isDiskFull: Bool { !crowded.isEmpty }

    func ended(_ use: UseID, _ outcome: (any UseOutcome)?) { crowded.remove(use) }

    // MARK: Runs

    private func due() {
        run()
        timer.arm(at: reactor.now + (isDiskFull ? Self.fullDiskInterval : Self.interval))
    }

    private func run() {
        // Without a catalog nothing is deleted.
        guard let catalog = context.catalog, !isUnderWay else { return }
        isUnderWay = true
        let run = makeRun(catalog, isDryRun: false)
        let bound = reactor.bind(self)
        let now = reactor.now
        catalog.ask({ store throws(CatalogError) in try run.perform(store) }) { result in
            bound.tell { $0.ended(try? result.get(), begun: now) }
        }
    }

    /// `outcome` is nil if the catalog could not be used.
    private func ended(_ outcome: RetentionOutcome?, begun: MonotonicInstant) {
        (isUnderWay, lastEnd) = (false, reactor.now)
        if let outcome {
            if let consent = outcome.consent { (self.consent, lastLook) = (consent, begun) }
            free = outcome.freeAfterwards
            if news.isNew(outcome) { context.tell(.retention(outcome)) }
        }
        tellOfDisk(outcome)
        if outcome?.isUnfinished == true { runSoon() }
    }

    /// If the disk could not be measured, what recordings find counts alone.
    private func tellOfDisk(_ outcome: RetentionOutcome?) {
        let isMeasured = outcome?.free != nil
        guard isDiskFull || isMeasured else { return }
        let level = alarm.note(isLow: !isMeasured || outcome?.isLow == true, isFull: isDiskFull)
        guard let level else { return }
        context.tell(.disk(level, free: outcome?.freeAfterwards))
        planner.signs.give()
        if level == .well { onRoom() }
    }

    private func makeRun(_ catalog: RecordingsCatalog, isDryRun: Bool) -> RetentionRun {
        RetentionRun(
            removal: RecordingRemoval(
                folder: context.storage.recordings, ledger: catalog.deletions, system: context.system),
            state: context.storage.state, rules: rules, countsDays: planner.believesClock, consent: consent,
            isAgreed: isAgreed, elapsed: lastLook.map { reactor.now - $0 } ?? .zero, unfinished: unfinished(),
            now: reactor.wallNow, zone: context.values.zone, isDryRun: isDryRun)
    }
}
