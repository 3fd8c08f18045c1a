// SPDX-License-Identifier: MIT

import Configuration
import EventLoop
import Instants
import Storage

/// Stores signs of life for the next run of the daemon: until when every show has been reported, since when the clock
/// has run steadily, and the faults that last. Notes in the recordings folder, too, that there are new files. The
/// catalog's thread writes the files.
final class SignsOfLife {
    private let context: DaemonContext
    private var storedFaults: StandingFaults?
    private var lastGiven: MonotonicInstant?
    private lazy var timer = reactor.makeTimer { [weak self] in self?.due() }

    /// How often the daemon gives a sign of life: while something is recorded, it decides to which cause missing audio
    /// is ascribed.
    private static let interval = (idle: Duration.seconds(60), recording: Duration.seconds(5))
    /// A first run may be killed within a minute, too.
    private static let first = Duration.seconds(1)
    /// A failure of the network begins a fault of each station, so these share a sign of life.
    private static let leastInterval = Duration.seconds(1)

    /// Returns whether something is recorded.
    var isRecording: () -> Bool = { false }
    /// Returns the time, at most that of the argument, up to which every show has been reported.
    var judgedUntil: (WallInstant) -> WallInstant = { $0 }
    /// Returns the time since which the clock has run steadily.
    var steadySince: () -> WallInstant? = { nil }
    /// Returns the faults that last; nil while the daemon ends, which ends no fault.
    var faults: () -> StandingFaults? = { nil }

    init(_ context: DaemonContext) { self.context = context }

    private var reactor: any Reactor { context.reactor }

    /// Gives a sign in a moment, in the folders of the configuration that applies.
    func begin() { timer.arm(at: reactor.now + Self.first) }

    /// Gives the last sign of life of this run.
    func stop() {
        timer.cancel()
        give()
    }

    private func due() {
        give()
        timer.arm(at: reactor.now + (isRecording() ? Self.interval.recording : Self.interval.idle))
    }

    /// Gives a sign of life at once, because a fault has begun or ended, but not within a second of the last one.
    func giveSoon() {
        let due = max(reactor.now, lastGiven.map { $0 + Self.leastInterval } ?? reactor.now)
        if timer.isArmed { timer.arm(at: due) }
    }

    /// Gives a sign of life now, because something has changed that the next run must know. Entries of the ledgers for
    /// which there was no room are written, too.
    func give() {
        lastGiven = reactor.now
        if let faults = faults(), faults != storedFaults {
            storedFaults = faults
            context.store(faults.json, in: StandingFaults.fileName)
        }
        guard let catalog = context.catalog else { return }
        let now = reactor.wallNow
        let (folder, recordings) = (context.storage.state, context.storage.recordings)
        let file = AliveFile(folder: folder)
        let content = AliveFile.Content(judgedUntil: judgedUntil(now), steadySince: steadySince(), lastSign: now)
        catalog.run {
            catalog.deletions.flush()
            if catalog.takeNewFiles() { RecordingsOwner.noteNewFiles(recordings, state: folder) }
            let isEntered = catalog.shows.flush()
            guard ClockTrust.isSet(now) else { return }
            var content = content
            // What the ledger has no room for, the next run must enter.
            if !isEntered { content.judgedUntil = file.read()?.judgedUntil ?? content.judgedUntil }
            file.write(content)
        }
    }
}
