// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Engine
import EventLoop
import Instants
import Recorder
import Storage

/// Runs retention every few minutes, and more often while a recording finds the disk full. A run blocks the catalog's
/// thread.
final class RetentionRunner {
    private let context: DaemonContext
    private let countsDays: () -> Bool
    private let unfinished: () -> UnfinishedRecordings
    private let onDisk: () -> Void
    /// Decides what people are told about the disk.
    var alarm = DiskAlarm()
    private var configuration = Configuration()
    private var pace = RetentionPace()
    /// Which rules may delete, as of the last run; nil before it.
    private var consent: RetentionConsent?
    /// When the last run began that knows which rules may delete; nil before it.
    private var lastLook: MonotonicInstant?
    /// Whether somebody has agreed to the present rules since the last run.
    private var isAgreed = false
    /// The uses whose recordings find the disk full.
    private var crowded: Set<UseID> = []
    private var isStopped = false
    /// Called when the disk has room again, if people were told that it had not.
    var onRoom: () -> Void = {}
    private lazy var timer = reactor.makeTimer { [weak self] in self?.due() }

    private static let firstPause = Duration.seconds(10)
    private static let shortPause = Duration.seconds(1)

    /// `countsDays` returns whether recordings may be deleted for their age. `unfinished` returns the recordings that
    /// are not over. `onDisk` is called after people were told of the disk. They hear of a run if it deleted recordings
    /// or failed to, if the recordings folder cannot be used, or if the disk has become too full or has room again.
    init(
        _ context: DaemonContext, countsDays: @escaping () -> Bool, unfinished: @escaping () -> UnfinishedRecordings,
        onDisk: @escaping () -> Void
    ) {
        self.context = context
        self.countsDays = countsDays
        self.unfinished = unfinished
        self.onDisk = onDisk
    }

    private var reactor: any Reactor { context.reactor }

    /// Without a catalog nothing is deleted.
    private var catalog: RecordingsCatalog? { context.catalog }

    /// The free bytes of the recordings' disk, as measured in the last few minutes; nil if unknown.
    var free: Int64? { pace.free }

    /// Applies the rules of a configuration from now on. `agrees`: whether changed rules need not wait before they
    /// delete more than before.
    func use(_ configuration: Configuration, agrees: Bool = false) {
        self.configuration = configuration
        isAgreed = agrees
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
        guard let catalog else { return answer(.failure(.failed(0, "there is no catalog"))) }
        let run = makeRun(isDryRun: true)
        catalog.ask({ store throws(CatalogError) in try run.perform(store) }, answer: answer)
    }

    // MARK: The disk

    /// Runs retention more often while a recording finds the disk full, because a recording can be deleted only once it
    /// is finished.
    func hear(_ notice: RecorderNotice, of use: UseID) {
        switch notice {
        case .failing(let error) where error.code == .noSpace:
            let isFirst = crowded.isEmpty
            crowded.insert(use)
            guard isFirst else { break }
            if pace.mayRun(forFullDiskAt: reactor.now) { run() }
            timer.arm(at: reactor.now + pace.pause(isDiskFull: true))
        case .resumed: forget(use)
        default: break
        }
    }

    /// Whether a recording waits for room at present.
    var isDiskFull: Bool { !crowded.isEmpty }

    /// Forgets a use that has ended: it finds no disk full any more.
    func forget(_ use: UseID) { crowded.remove(use) }

    // MARK: Runs

    private func due() {
        run()
        timer.arm(at: reactor.now + pace.pause(isDiskFull: isDiskFull))
    }

    private func run() {
        guard let catalog, pace.begin() else { return }
        let run = makeRun(isDryRun: false)
        let bound = reactor.bind(self)
        let now = reactor.now
        catalog.ask({ store throws(CatalogError) in try run.perform(store) }) { result in
            bound.tell { $0.ended(try? result.get(), run.rules, begun: now) }
        }
    }

    /// `outcome` is nil if the catalog could not be used.
    private func ended(_ outcome: RetentionOutcome?, _ rules: RetentionRules, begun: MonotonicInstant) {
        if let consent = outcome?.consent {
            self.consent = consent
            lastLook = begun
            // The configuration may have changed during the run.
            if consent.agreed == rules, rules == RetentionRules(configuration) { isAgreed = false }
        }
        if let notable = pace.end(outcome, at: reactor.now) { context.tell(.retention(notable)) }
        tellOfDisk(outcome)
        if outcome?.isUnfinished == true { runSoon() }
    }

    /// If the disk could not be measured, what recordings find counts alone.
    private func tellOfDisk(_ outcome: RetentionOutcome?) {
        let isFull = isDiskFull
        guard isFull || outcome?.free != nil else { return }
        let isLow = outcome?.free.map { _ in outcome?.isLow ?? false } ?? true
        if let level = alarm.note(isLow: isLow, isFull: isFull) {
            context.tell(.disk(level, free: outcome?.freeAfterwards))
            onDisk()
            if level == .well { onRoom() }
        }
    }

    private func makeRun(isDryRun: Bool) -> RetentionRun {
        let storage = configuration.storage
        return RetentionRun(
            folder: storage.recordings, state: storage.state, deletions: catalog?.deletions,
            rules: RetentionRules(configuration),
            countsDays: countsDays(), consent: consent, isAgreed: isAgreed,
            elapsed: lastLook.map { reactor.now - $0 } ?? .zero, unfinished: unfinished(),
            now: reactor.wallNow, zone: context.values.zone, isDryRun: isDryRun, system: context.system)
    }
}
