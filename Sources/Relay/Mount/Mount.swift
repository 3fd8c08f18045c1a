// SPDX-License-Identifier: MIT

package import EventLoop
package import HTTPServer
package import Instants
import RadioCore
package import RadioFormats
package import Stations

/// Serves a station at a path to any number of listeners, each with a cursor in the station's audio.
///
/// A ``MountSink`` receives the station, `Mount+Requests.swift` answers clients, and `Mount+Flushing.swift` decides
/// what is sent to each listener, and when.
package final class Mount {
    package let path: String
    package let settings: MountSettings
    let service: HTTPService
    let reactor: any Reactor
    /// Called with true when the first client listens or waits for audio, and with false when the last one has gone.
    package var onWanted: ((Bool) -> Void)?
    /// Called when a programme begins in a format that cannot be relayed.
    package var onUnrelayed: ((StreamFormat) -> Void)?

    /// The time at which the rest period of an on-demand station ends after a failure.
    package var restsUntil: MonotonicInstant?

    private var wasWanted = false
    /// The number of listeners that have closed their side, and have not been found gone.
    private var leaving = 0
    /// Since when the mount has had no station that it could serve, while it has none.
    private(set) var idleSince: MonotonicInstant
    /// The sink of the station; nil while the mount is not tuned.
    private(set) var sink: MountSink?
    /// What players hear while the station is unavailable; nil for silence.
    package var fallback: Fallback? {
        didSet { fallback?.onAudio = { [unowned self] in if !waiting.isEmpty { answerWaiting() } } }
    }
    private(set) lazy var turns = FlushTurns<Listener>(reactor) { [unowned self] in visit($0) }
    let waiting = WaitingRoom()
    private(set) var waitTimer: (any ReactorTimer)?
    private(set) var statistics = MountStatistics()
    /// When the first audio arrived.
    private(set) var onAirSince: WallInstant?
    /// The user agents seen, so that each name is stored once.
    private var agents = AgentNames()
    /// The relays among the listeners, and the relays behind those.
    private var downstream = Downstream()
    /// The ID by which other relays recognise this process.
    let id: RelayID
    let routes = RouteSet()
    private var onHeard: (() -> Void)?
    private var hearingTimer: (any ReactorTimer)?
    private let serial: UInt32

    /// Creates a mount at `path` that accepts clients until ``close()``. It has no audio before ``tune(to:)``.
    /// `serial`: any number, for the logical streams of Ogg; `id`: the ID of the process.
    package init(
        _ path: String, on service: HTTPService, reactor: any Reactor, settings: MountSettings = MountSettings(),
        serial: UInt32 = 1, id: RelayID = RelayID()
    ) {
        self.path = path
        self.service = service
        self.reactor = reactor
        self.settings = settings
        self.serial = serial
        self.id = id
        idleSince = reactor.now
        waitTimer = reactor.makeTimer { [unowned self] in answerWaiting() }
        addRoutes()
        service.router.mount(routes, rules: settings.rules)
    }

    /// Starts serving a station. Listeners of the previous station are sent the rest of its audio, and then closed.
    package func tune(to hub: StreamHub) {
        detune()
        let sink = MountSink(hub, settings, serial: serial, reactor: reactor)
        sink.onAudio = { [unowned self] in heard() }
        sink.onUnrelayed = { [unowned self] in onUnrelayed?($0) }
        sink.onEnd = { [unowned self] _ in answerWaiting() }
        self.sink = sink
        sink.start()
    }

    /// Stops serving until tuned again. Listeners are sent the rest of the audio on their own turns, and then closed.
    package func detune() {
        if sink != nil { idleSince = reactor.now }
        sink?.close()
        sink = nil
        onAirSince = nil
        tellWhetherWanted()
    }

    /// Changes the access rules. Connected listeners stay.
    package func setRules(_ rules: HTTPRouteRules) { service.router.mount(routes, rules: rules) }

    /// Removes the path and closes all listeners.
    package func close() {
        service.router.unmount(routes)
        for request in waiting.removeAll() { request.exchange.respond(Self.closed) }
        detune()
        for listener in turns.all { sendRest(to: listener) }
        fallback?.close()
        turns.cancel()
        waitTimer?.cancel()
        waitTimer = nil
        hearingTimer?.cancel()
        hearingTimer = nil
    }

    private static let closed = HTTPResponse.later(.serviceUnavailable, after: .seconds(10), "this relay has ended")

    /// The number of listeners, without those that have closed their side: a browser that loads a page again would
    /// count twice.
    package var listenerCount: Int { turns.count - leaving }

    /// Counts a listener that has closed its side of the connection as leaving.
    func hasClosedSide() { leaving += 1 }

    /// The title on the air.
    package var onAirTitle: String? { sink?.hub.title?.text }

    /// Whether there is audio for a player now.
    package var hasAudio: Bool { hasAudio(for: .player) }

    func hasAudio(for kind: ListenerKind) -> Bool {
        guard let stream = sink?.stream else { return false }
        return stream.hasAudio && !isAwayForGood(stream, for: kind)
    }

    /// The `Via` field of a request for the station, which is made for all listening and waiting clients.
    package var via: String {
        var all = downstream
        for hops in waiting.hops { all.add(hops) }
        return all.via(id)
    }

    /// The client's name, as a string shared by all clients with that name.
    func name(ofAgent text: String) -> String { agents.name(text) }

    /// Counts bytes accepted by a socket.
    func sent(_ bytes: Int) { statistics.bytes += Int64(bytes) }

    /// Counts a listener that was too slow and skipped to a newer place.
    func skipped() { statistics.skips += 1 }

    func join(_ listener: Listener, level: Int) {
        turns.add(listener, level: level)
        downstream.add(listener.hops)
        listener.stream.listenerCount += 1
        statistics.joined(listeners: listenerCount)
        tellWhetherWanted()
    }

    func drop(_ listener: Listener) {
        listener.close()
        guard listener.seat != nil else { return }
        turns.remove(listener)
        if listener.hasClosedSide { leaving -= 1 }
        downstream.remove(listener.hops)
        listener.stream.listenerCount -= 1
        tellWhetherWanted()
        if turns.count == 0 { wasHeard() }
    }

    /// Whether any client wants the station: it waits for audio, or listens to the station or its fallback. A listener
    /// that is only sent the rest of an ended programme does not count.
    package var isWanted: Bool {
        !waiting.isEmpty || (sink?.stream?.listenerCount ?? 0) + (fallback?.listenerCount ?? 0) > 0
    }

    /// Reports a change of ``isWanted``.
    func tellWhetherWanted() {
        let isWanted = isWanted
        guard isWanted != wasWanted else { return }
        wasWanted = isWanted
        onWanted?(isWanted)
    }
}

// MARK: - Audio from the station

extension Mount {
    /// Handles the arrival of audio.
    private func heard() {
        if onAirSince == nil { onAirSince = reactor.wallNow }
        if !waiting.isEmpty { answerWaiting() }
    }
}

// MARK: - The end of a programme

extension Mount {
    /// How long listeners may take to accept the rest of a programme that has ended.
    private static let longestHearing = Duration.seconds(5)

    /// Calls `action` once all listeners have accepted the rest of a programme that has ended, or their time is up. The
    /// call may happen before this method returns.
    package func whenHeard(_ action: @escaping () -> Void) {
        guard turns.count > 0 else { return action() }
        onHeard = action
        let timer = reactor.makeTimer { [unowned self] in wasHeard() }
        hearingTimer = timer
        timer.arm(at: reactor.now + Self.longestHearing)
    }

    private func wasHeard() {
        guard let action = onHeard else { return }
        onHeard = nil
        hearingTimer?.cancel()
        hearingTimer = nil
        action()
    }
}

/// A mount's counters, updated with each event so that no query has to walk through thousands of listeners.
struct MountStatistics: Hashable {
    /// The maximum number of listeners at one time.
    private(set) var peak = 0
    /// The number of listeners that have joined.
    private(set) var joins = 0
    /// Bytes accepted by sockets.
    var bytes: Int64 = 0
    /// How often listeners skipped.
    var skips = 0

    mutating func joined(listeners: Int) {
        joins += 1
        peak = max(peak, listeners)
    }
}
