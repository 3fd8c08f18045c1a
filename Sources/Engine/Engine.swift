// SPDX-License-Identifier: MIT

import CurlClient
package import EventLoop
import Instants
import Platform
import Stations
import Storage

/// The composition root, and the only access to everything that runs on the loop.
///
/// An actor whose executor is the event loop: `init` only stores the loop, and every method runs on the loop's thread.
/// Its programmes, uses and servers are not Sendable and never leave it. Commands go in and events come out, all of
/// them values.
package actor Engine: LoopActor {
    package nonisolated let loop: EventLoop
    private let tell: @Sendable (EngineEvent) -> Void
    private var registry: Registry?
    private var resources: Resources?
    private var snapshotTimer: (any ReactorTimer)?
    private var signalWatches: [any SignalWatch] = []
    private var signals = StopSignals()

    private static let snapshotInterval = Duration.milliseconds(500)

    /// `tell` reports an event. It is called on the loop's thread and must not block.
    package init(loop: EventLoop, tell: @escaping @Sendable (EngineEvent) -> Void) {
        self.loop = loop
        self.tell = tell
    }

    /// Performs a command. Its results arrive as events.
    package func perform(_ command: EngineCommand) {
        running.perform(command)
    }

    /// The current state of everything that runs.
    package var snapshot: EngineSnapshot {
        var snapshot = running.snapshot
        snapshot.writer = resources?.writerFigures
        return snapshot
    }

    /// Starts sending a snapshot event every half second.
    package func tellSnapshots() {
        let timer = loop.reactor.makeTimer { [unowned self] in
            assumeIsolated { $0.tellSnapshot() }
        }
        snapshotTimer = timer
        tellSnapshot()
    }

    private func tellSnapshot() {
        tell(.snapshot(running.snapshot))
        snapshotTimer?.arm(at: loop.reactor.now + Self.snapshotInterval)
    }

    /// Prepares the process. Call it early, while there is only one thread. Holds back SIGINT, SIGTERM and SIGHUP until
    /// ``stopOnSignals()``, gives SIGQUIT its default effect, raises the descriptor limit, makes all threads share one
    /// heap, and configures name resolution.
    package static func prepareProcess() {
        ProcessSignals.hold()
        DescriptorLimit.raise()
        SharedHeap.use()
        CurlLibrary.prepareResolver()
    }

    /// Starts handling SIGINT, SIGTERM and SIGHUP: the first one ends all uses; a further one at least half a second
    /// later ends the process at once.
    package func stopOnSignals() {
        signalWatches = ProcessSignals.heeded.map { number in
            loop.reactor.watchSignal(number) { [unowned self] in
                assumeIsolated { $0.signalled(number) }
            }
        }
        ProcessSignals.letCome()
    }

    private func signalled(_ number: CInt) {
        switch signals.hear(at: loop.reactor.now) {
        case .finish: running.perform(.endAll)
        case .exitAtOnce: ProcessSignals.exitAtOnce(number)
        case .nothing: break
        }
    }

    /// Releases everything on the loop. Must be the last call.
    package func close() {
        snapshotTimer?.cancel()
        registry?.close()
        registry = nil
        signalWatches = []
        resources?.close()
        resources = nil
    }

    private var running: Registry {
        if let registry { return registry }
        let resources = Resources(loop.reactor)
        self.resources = resources
        let context = EngineContext(
            reactor: loop.reactor, client: { resources.client }, group: StationGroup(),
            writerQueue: { () throws(StorageError) in try resources.writerQueue() })
        let made = Registry(context, tell: tell)
        resources.onNetworkChange = { [weak made] in made?.networkChanged() }
        resources.onClockStep = { [weak made] in made?.clockStepped() }
        registry = made
        return made
    }
}
