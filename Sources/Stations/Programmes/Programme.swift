// SPDX-License-Identifier: MIT

package import EventLoop
package import Instants
package import RadioCore

/// What sinks receive: a station, or media of this machine.
///
/// A programme owns what lasts for its whole run: the hub, the ``Trunk`` in front of it, and the requests of sinks to
/// pause. Its ``Source`` only delivers parts. If that turns out to be of another kind, another source takes its place,
/// and the hub's positions go on. To receive the audio, attach a sink to ``hub``. A programme runs once, from
/// ``start()`` to the end that the hub reports.
package final class Programme {
    package let hub: StreamHub
    /// Called with each notice worth a log line.
    package var onNotice: ((StationNotice) -> Void)?
    /// Returns the header fields sent with each request in addition to the user's own. Called for each request.
    package var requestFields: () -> [StationSettings.Header] = { [] }
    /// Called with each response that is not audio; returns whether it takes the response over. The connection has
    /// failed in either case.
    package var onUnread: ((UnreadResponse) -> Bool)?
    /// Called with the beginning of a file, for a ``FileSurvey``.
    package var onBeginning: ((FileBeginning) -> Void)?

    /// From when on audio is wanted that was on air before the programme began, if a server still has it; nil if none is.
    package var earliestWanted: WallInstant?

    private let trunk: Trunk
    private let reactor: any Reactor
    private var source: any Source
    /// The sinks that are full, for which the source pauses.
    private var full: Set<ObjectIdentifier> = []
    private var state = State.idle

    private enum State { case idle, running, stopping }

    /// Creates a programme that is not started. The first frame is at `start`. At least `depth` of audio is kept.
    /// `makeSource`: makes the source that delivers into the trunk.
    package init(
        depth: Duration = .seconds(1), from start: Position = Position(), reactor: any Reactor,
        _ makeSource: (Trunk) -> any Source
    ) {
        hub = StreamHub(depth: depth, from: start)
        trunk = Trunk(hub, reactor)
        self.reactor = reactor
        source = makeSource(trunk)
        trunk.onNotice = { [weak self] in self?.onNotice?($0) }
        trunk.programme = self
    }

    package func start() {
        guard state == .idle else { return }
        state = .running
        source.begin()
    }

    /// Asks the programme to end. The hub reports the end, possibly during this call.
    package func stop() {
        guard state != .stopping else { return }
        state = .stopping
        source.collect { [self] in
            source.stop()
            trunk.end(nil)
        }
    }

    /// Ends the programme for one sink, as ``stop()`` does for all: the sink receives any gap that is open, then the
    /// end. This may happen during the call.
    package func leave(_ sink: any StreamSink) {
        source.collect { [self] in hub.leave(sink, missing: source.openGap) }
    }

    /// See ``Source/networkChanged()``.
    package func networkChanged() { source.networkChanged() }

    /// Corrects air times by the wall clock, which was set. The air times of the delivered audio are corrected.
    package func clockStepped() {
        trunk.clockStepped()
        source.clockStepped()
    }
}

// MARK: - The source

extension Programme {
    /// Leaves the programme to another source, which begins now.
    func replaceSource(by other: any Source) {
        source = other
        other.begin()
    }
}

// MARK: - Facts

extension Programme {
    package var snapshot: StationSnapshot {
        var snapshot = StationSnapshot(of: hub)
        source.describe(in: &snapshot)
        if hub.hasAudio, let edge = hub.airTime?.instant(ofSample: hub.position.samples) {
            snapshot.behind = max(.zero, reactor.wallNow - (snapshot.sinceAudio ?? .zero) - edge)
        }
        return snapshot
    }

    /// See ``Source/reached``.
    package var reached: StationSettings? { source.reached }
}

// MARK: - Pauses

extension Programme: FlowControl {
    package func pause(for sink: any StreamSink) {
        guard source.canPause else { return }
        let wasRunning = full.isEmpty
        full.insert(ObjectIdentifier(sink))
        if wasRunning { source.pause() }
    }

    package func resume(for sink: any StreamSink) {
        if full.remove(ObjectIdentifier(sink)) != nil, full.isEmpty { source.resume() }
    }

    /// Drops all requests to pause: the source has turned out to be live.
    func dropPauses() {
        guard !full.isEmpty else { return }
        full = []
        source.resume()
    }
}
