// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Engine
import EventLoop
import Instants
import RadioCore
import Recorder
import Storage

/// Runs retention every few minutes, and more often while a recording finds the disk full. Confined to the loop's
/// thread; a run blocks the catalog's thread.
final class RetentionRunner {
    private let reactor: any Reactor
    private let zone: any TimeZoneRules
    private let system: any FileSystemCalls
    private let countsDays: () -> Bool
    private let unfinished: () -> UnfinishedRecordings
    private let onOutcome: (RetentionOutcome) -> Void
    private var configuration = Configuration()
    private var pace = RetentionPace()
    private var refusals = NotedRefusals()
    /// The uses whose recordings find the disk full.
    private var crowded: Set<UseID> = []
    private var isStopped = false
    private lazy var timer = reactor.makeTimer { [weak self] in self?.due() }

    private static let firstPause = Duration.seconds(10)
    private static let shortPause = Duration.seconds(1)

    /// Without a catalog nothing is deleted.
    var catalog: RecordingsCatalog?

    /// `zone` is for the times in the ledger. `system` measures the recordings' disk and deletes files on it.
    /// `countsDays` returns whether recordings may be deleted for their age. `unfinished` returns the recordings that
    /// are not over. `onOutcome` is called if a run deleted recordings or failed to, if the recordings folder cannot be
    /// used, or if the disk has become too full or has room again.
    init(
        reactor: any Reactor, zone: any TimeZoneRules, system: any FileSystemCalls, countsDays: @escaping () -> Bool,
        unfinished: @escaping () -> UnfinishedRecordings, onOutcome: @escaping (RetentionOutcome) -> Void
    ) {
        self.reactor = reactor
        self.zone = zone
        self.system = system
        self.countsDays = countsDays
        self.unfinished = unfinished
        self.onOutcome = onOutcome
    }

    /// The free bytes of the recordings' disk, as measured in the last few minutes; nil if unknown.
    var free: Int64? { pace.free }

    /// Applies the rules of a configuration from now on.
    func use(_ configuration: Configuration) {
        self.configuration = configuration
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

    /// Notes whether a recording finds the disk full. While one does, retention runs more often, because a recording
    /// can be deleted only once it is finished.
    func hear(_ notice: RecorderNotice, of use: UseID) {
        switch notice {
        case .failing(let error) where error.code == .noSpace:
            let isFirst = crowded.isEmpty
            crowded.insert(use)
            guard isFirst else { break }
            if pace.mayRun(forFullDiskAt: reactor.now) { run() }
            timer.arm(at: reactor.now + pace.pause(isDiskFull: true))
        case .resumed: crowded.remove(use)
        default: break
        }
    }

    /// Notes that a use has ended.
    func forget(_ use: UseID) { crowded.remove(use) }

    // MARK: Runs

    private func due() {
        run()
        timer.arm(at: reactor.now + pace.pause(isDiskFull: !crowded.isEmpty))
    }

    private func run() {
        guard let catalog, pace.begin() else { return }
        let run = makeRun(isDryRun: false)
        let bound = reactor.bind(self)
        catalog.ask({ store throws(CatalogError) in try run.perform(store) }) { result in
            bound.tell { $0.ended(try? result.get()) }
        }
    }

    /// `outcome` is nil if the catalog could not be used.
    private func ended(_ outcome: RetentionOutcome?) {
        if let outcome { refusals.note(outcome) }
        if let notable = pace.end(outcome, at: reactor.now) { onOutcome(notable) }
        if outcome?.isUnfinished == true { runSoon() }
    }

    private func makeRun(isDryRun: Bool) -> RetentionRun {
        let storage = configuration.storage
        return RetentionRun(
            folder: storage.recordings, state: storage.state, leastFree: storage.leastFree,
            rules: RetentionRules(configuration, countsDays: countsDays()), unfinished: unfinished(),
            refusals: refusals, now: reactor.wallNow, zone: zone, isDryRun: isDryRun, system: system)
    }
}
