// SPDX-License-Identifier: MIT

import CurlClient
package import EventLoop
import NetworkChanges
import Recorder
import Stations
import Storage
import WallClock

/// The composition root and the only door to what runs on the loop.
///
/// An actor whose executor is the event loop: `init` only stores the loop, and every method runs on the loop's thread.
/// What it owns (stations, sinks, servers) is not Sendable and never leaves. The one place that knows that two kinds of
/// sinks exist.
package actor Engine: LoopActor {
    package nonisolated let loop: EventLoop
    private var client: CurlClient?
    private var networkChanges: NetworkChanges?
    private var clockSteps: ClockSteps?
    private let group = StationGroup()
    private var writer: WriterThread?
    private var session: RecordSession?
    private var probe: ProbeSession?
    private var relay: RelaySession?
    private var signalWatches: [any SignalWatch] = []
    private var signals = StopSignals()

    /// How long a command waits for a disk that takes nothing any more.
    private static let diskPatience = Duration.seconds(60)

    package init(loop: EventLoop) {
        self.loop = loop
    }

    /// Begins a recording; `tell` is called on the loop's thread and must not block.
    package func record(_ job: RecordJob, wantsProgress: Bool, tell: @escaping @Sendable (RecordEvent) -> Void) {
        do throws(StorageError) {
            let session = RecordSession(job: job, wantsProgress: wantsProgress, context: try context(), tell: tell)
            self.session = session
            session.start()
        } catch {
            tell(.ended(.nothing(error.failure)))
        }
    }

    /// Looks at a station for a few seconds.
    package func probe(_ job: ProbeJob, tell: @escaping @Sendable (ProbeEvent) -> Void) {
        let probe = ProbeSession(job: job, client: sharedClient(), group: group, reactor: loop.reactor, tell: tell)
        self.probe = probe
        probe.start()
    }

    /// Begins to re-serve a station; `tell` is called on the loop's thread and must not block.
    package func relay(_ job: RelayJob, wantsProgress: Bool, tell: @escaping @Sendable (RelayEvent) -> Void) {
        let relay = RelaySession(
            job: job, wantsProgress: wantsProgress, client: sharedClient(), group: group, reactor: loop.reactor,
            tell: tell)
        self.relay = relay
        relay.start()
    }

    /// Holds SIGINT, SIGTERM and SIGHUP back until ``stopOnSignals()``, raises the limit of descriptors, and says how
    /// names are to be looked up; early in the process, on its only thread.
    package static func prepareProcess() {
        Shutdown.hold()
        DescriptorLimit.raise()
        CurlLibrary.prepareResolver()
    }

    /// From now on the first SIGINT, SIGTERM or SIGHUP calls ``stop()``; one that comes half a
    /// second later or more ends the process at once.
    package func stopOnSignals() {
        signalWatches = Shutdown.heeded.map { number in
            loop.reactor.watchSignal(number) { [unowned self] in
                assumeIsolated { $0.signalled(number) }
            }
        }
        Shutdown.letCome()
    }

    private func signalled(_ number: CInt) {
        switch signals.hear(at: loop.reactor.now) {
        case .finish: stop()
        case .exitAtOnce: Shutdown.exitAtOnce(number)
        case .nothing: break
        }
    }

    /// Finishes the files; the session then tells its end.
    package func stop() {
        session?.stop()
        probe?.stop()
        relay?.stop()
    }

    /// Lets go of everything on the loop; the last call.
    package func close() {
        session = nil
        probe = nil
        relay = nil
        signalWatches = []
        networkChanges = nil
        clockSteps = nil
        client?.close()
        client = nil
        writer?.shutDown()
        writer = nil
    }

    private func sharedClient() -> CurlClient {
        if let client { return client }
        let made = CurlClient(reactor: loop.reactor)
        client = made
        networkChanges = NetworkChanges(reactor: loop.reactor) { [unowned self] in
            assumeIsolated { $0.networkChanged() }
        }
        clockSteps = ClockSteps(reactor: loop.reactor) { [unowned self] in
            assumeIsolated { $0.clockStepped() }
        }
        return made
    }

    /// What waits for the network need wait no longer. The client first: what it held on to may be of the old network.
    private func networkChanged() {
        client?.networkChanged()
        session?.networkChanged()
        probe?.networkChanged()
        relay?.networkChanged()
    }

    /// A certificate that was not valid yet may be so now.
    private func clockStepped() {
        session?.clockStepped()
        probe?.clockStepped()
        relay?.clockStepped()
    }

    private func context() throws(StorageError) -> SessionContext {
        SessionContext(
            reactor: loop.reactor, client: sharedClient(), group: group, writer: try sharedWriter(),
            diskPatience: Self.diskPatience)
    }

    private func sharedWriter() throws(StorageError) -> WriterThread {
        if let writer { return writer }
        let made = try WriterThread()
        writer = made
        return made
    }
}
