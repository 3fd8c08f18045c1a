// SPDX-License-Identifier: MIT

import Configuration
import Engine
import EventLoop
import Instants
import Recorder
import Storage

/// Enters what the recorders write in the catalog, and has the catalog rebuilt where it may lack files.
final class CatalogKeeper: DaemonPart {
    private let context: DaemonContext
    private lazy var missingTimer = context.reactor.makeTimer { [weak self] in self?.retryMissing() }
    private lazy var rebuildTimer = context.reactor.makeTimer { [weak self] in self?.catalog?.rebuild() }
    /// Whether ``missingTimer`` is armed.
    private var isRetryDue = false

    private var catalog: RecordingsCatalog? { context.catalog }
    /// Whether the daemon is ending, so that nothing is to be tried again.
    private var isStopping = false

    /// The maximum number of a recording's last files that are noted once more at the recording's end. The sidecar of a
    /// file is still rewritten in the three minutes after the file ends, and in three minutes most recordings finish
    /// fewer files than this.
    private static let mostRenoted = 20
    private static let pause = Duration.seconds(60)

    init(_ context: DaemonContext) { self.context = context }

    func use(_ configuration: Configuration) { catalog?.companions.use(configuration.stations) }

    /// Enters a finished file, and completes its bundle. A file that is missing is retried later, because its disk may
    /// be unavailable.
    func finished(_ bundle: FinishedBundle) {
        note([bundle.path])
        catalog?.complete(bundle)
    }

    private func note(_ paths: [String]) {
        for path in paths { catalog?.noteRecorded(path: path) }
        if !paths.isEmpty { retryMissingLater() }
    }

    /// Enters what else changes of the files of a recorder: they begin, get other names and other sidecars.
    func hear(_ notice: UseNotice, of use: UseID, _ key: UseKey) {
        guard case .recorder(let notice) = notice else { return }
        if case .finished(let segment, _) = notice, let path = segment.formerPath { catalog?.note(path: path) }
        note(notice.changedFiles)
        guard case .resumed = notice else { return }
        catalog?.folderReturned()
        retryMissing()
    }

    /// Does at once what waits for the disk: it has room again.
    func roomReturned() {
        if rebuildTimer.isArmed { rebuildTimer.arm(at: context.reactor.now) }
    }

    /// Enters the last files of a recording once more, because their sidecars were completed at the end.
    func ended(_ use: UseID, _ outcome: (any UseOutcome)?) {
        guard let recording = outcome as? RecordingOutcome else { return }
        for segment in recording.report.segments.suffix(Self.mostRenoted) {
            if segment.isComplete {
                catalog?.noteRecorded(path: segment.path)
            } else {
                catalog?.noteLeftBehind(path: segment.path)
                retryMissingLater()
            }
        }
    }

    /// Repeats a failed rebuild later, because nothing else finds the files that were recorded while another program
    /// had locked the catalog.
    func rebuildLater() {
        if !isStopping { rebuildTimer.arm(at: context.reactor.now + Self.pause) }
    }

    /// Tries nothing again any more.
    func stop() {
        isStopping = true
        rebuildTimer.cancel()
        missingTimer.cancel()
    }

    private func retryMissing() {
        isRetryDue = false
        if catalog?.retryMissing() == true { retryMissingLater() }
    }

    private func retryMissingLater() {
        guard !isRetryDue, !isStopping else { return }
        isRetryDue = true
        missingTimer.arm(at: context.reactor.now + Self.pause)
    }
}
