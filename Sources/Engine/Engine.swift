// SPDX-License-Identifier: MIT

import CurlClient
package import EventLoop
import Instants
import Platform
import Stations
import Storage

/// The composition root and the only door to what runs on the loop.
///
/// An actor whose executor is the event loop: `init` only stores the loop, and every method runs on the loop's thread.
/// What it owns (programmes, uses, servers) is not Sendable and never leaves. Commands go in and events come out, all
/// values.
package actor Engine: LoopActor {
    package nonisolated let loop: EventLoop
    private let tell: @Sendable (EngineEvent) -> Void
    private var registry: Registry?
    private var resources: Resources?
    private var snapshotTimer: (any ReactorTimer)?
    private var signalWatches: [any SignalWatch] = []
    private var signals = StopSignals()

    /// How long a recording waits for a disk that takes nothing any more.
    private static let diskPatience = Duration.seconds(60)
    private static let snapshotInterval = Duration.milliseconds(500)

    /// `tell` is called on the loop's thread and must not block.
    package init(loop: EventLoop, tell: @escaping @Sendable (EngineEvent) -> Void) {
        self.loop = loop
        self.tell = tell
    }

    /// Has the engine do something. What comes of it is told.
    package func perform(_ command: EngineCommand) {
        running.perform(command)
    }

    /// How everything stands.
    package var snapshot: EngineSnapshot { running.snapshot }

    /// From now on tells every half second how everything stands.
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

    /// Holds SIGINT, SIGTERM and SIGHUP back until ``stopOnSignals()``, raises the limit of descriptors, has all threads
    /// share one heap, and says how names are to be looked up; early in the process, on its only thread.
    package static func prepareProcess() {
        ProcessSignals.hold()
        DescriptorLimit.raise()
        SharedHeap.use()
        CurlLibrary.prepareResolver()
    }

    /// From now on the first SIGINT, SIGTERM or SIGHUP ends all uses; one that comes half a second later or more ends
    /// the process at once.
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

    /// Lets go of everything on the loop; the last call.
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
            writerQueue: { () throws(StorageError) in try resources.writerQueue() }, diskPatience: Self.diskPatience)
        let made = Registry(context, tell: tell)
        resources.onNetworkChange = { [weak made] in made?.networkChanged() }
        resources.onClockStep = { [weak made] in made?.clockStepped() }
        registry = made
        return made
    }
}
