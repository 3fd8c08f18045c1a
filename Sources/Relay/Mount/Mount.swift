// SPDX-License-Identifier: MIT

package import EventLoop
package import HTTPServer
package import Instants
import RadioCore
package import RadioFormats
package import Stations

/// A station re-served under a path: any number of listeners, each with a cursor in the station's audio.
///
/// Confined to the loop's thread. The station is heard by a ``Feed``; what clients ask is in `Mount+Requests.swift`,
/// and who is sent what and when in `Mount+Flushing.swift`.
package final class Mount {
    package let path: String
    package let settings: MountSettings
    let service: HTTPService
    let reactor: any Reactor
    /// Called when somebody begins to listen, or waits for audio, and when the last of them has gone.
    package var onWanted: ((Bool) -> Void)?
    /// Called when a programme begins in a format that cannot be relayed.
    package var onUnrelayed: ((StreamFormat) -> Void)?

    /// An on-demand station that has just failed is left alone until then.
    package var restsUntil: MonotonicInstant?

    private var wasWanted = false
    /// Nil while it is tuned to none.
    private(set) var station: Feed?
    /// What players hear while the station is away; nil for silence.
    package var fallback: Fallback? {
        didSet { fallback?.onAudio = { [unowned self] in if !waiting.isEmpty { answerWaiting() } } }
    }
    private(set) lazy var turns = FlushTurns<Listener>(reactor) { [unowned self] in visit($0) }
    let waiting = WaitingRoom()
    private(set) var waitTimer: (any ReactorTimer)?
    private(set) var statistics = MountStatistics()
    /// When the first audio came.
    private(set) var onAirSince: WallInstant?
    /// User agents that are known, so that each is kept once.
    private var agents = AgentNames()
    /// The relays that are listeners here.
    private var downstream = Downstream()
    /// By which this relay is known to others.
    let id: RelayID
    private var routes: [String] = []
    private var onHeard: (() -> Void)?
    private var hearingTimer: (any ReactorTimer)?
    private let serial: UInt32

    /// A mount at `path` of the service, from now on until ``close()``; it has no audio before ``tune(to:)``. `serial`
    /// is any number, for the logical streams of Ogg; `id` is the process's.
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
        waitTimer = reactor.makeTimer { [unowned self] in answerWaiting() }
        addRoutes(&routes)
    }

    /// Serves a station from now on; listeners of the one before it get the rest of that, and are closed.
    package func tune(to hub: StreamHub) {
        detune()
        let feed = Feed(hub, depth: settings.ringDepth, serial: serial, reactor: reactor)
        feed.onAudio = { [unowned self] in heard() }
        feed.onUnrelayed = { [unowned self] in onUnrelayed?($0) }
        feed.onEnd = { [unowned self] _ in answerWaiting() }
        station = feed
        feed.start()
    }

    /// Serves nothing any more, until it is tuned again; listeners get the rest at their own turns, and are closed.
    package func detune() {
        station?.close()
        station = nil
        onAirSince = nil
        tellWhetherWanted()
    }

    /// Takes the path back and closes all listeners.
    package func close() {
        for route in routes { service.router.remove(route) }
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

    private static let closed = HTTPResponse.later(.serviceUnavailable, after: .seconds(10), "this is over")

    package var listenerCount: Int { turns.count }

    /// The title that is on the air.
    package var onAirTitle: String? { station?.hub.title?.text }

    /// Whether there is audio for a listener now.
    package var hasAudio: Bool { hasAudio(for: .player) }

    func hasAudio(for kind: ListenerKind) -> Bool {
        guard let wire = station?.wire else { return false }
        return wire.hasAudio && !isAwayForGood(wire, for: kind)
    }

    /// The `Via` field of a request for the station: it is made for all who listen or wait.
    package var via: String {
        var all = downstream
        for hops in waiting.hops { all.add(hops) }
        return all.via(id)
    }

    /// The name of a client, which is kept once for all who have it.
    func name(ofAgent text: String) -> String { agents.name(text) }

    /// A socket has taken so much.
    func sent(_ bytes: Int) { statistics.bytes += Int64(bytes) }

    /// A listener was too slow, and went on at a newer place.
    func skipped() { statistics.skips += 1 }

    func join(_ listener: Listener, level: Int) {
        turns.add(listener, level: level)
        downstream.add(listener.hops)
        listener.wire.listenerCount += 1
        statistics.joined(listeners: turns.count)
        tellWhetherWanted()
    }

    func drop(_ listener: Listener) {
        listener.close()
        guard listener.seat != nil else { return }
        turns.remove(listener)
        downstream.remove(listener.hops)
        listener.wire.listenerCount -= 1
        tellWhetherWanted()
        if turns.count == 0 { wasHeard() }
    }

    /// Whether somebody wants the station: somebody who waits counts, and so does somebody who listens, but not a
    /// listener who only gets the rest of a programme that is over.
    package var isWanted: Bool {
        !waiting.isEmpty || (station?.wire?.listenerCount ?? 0) + (fallback?.listenerCount ?? 0) > 0
    }

    /// Somebody has come or gone.
    func tellWhetherWanted() {
        let isWanted = isWanted
        guard isWanted != wasWanted else { return }
        wasWanted = isWanted
        onWanted?(isWanted)
    }
}

// MARK: - From the station

extension Mount {
    /// Audio has come.
    private func heard() {
        if onAirSince == nil { onAirSince = reactor.wallNow }
        if !waiting.isEmpty { answerWaiting() }
    }
}

// MARK: - The end of a programme

extension Mount {
    /// For listeners that have not taken the last of a programme that is over.
    private static let longestHearing = Duration.seconds(5)

    /// Calls back when all listeners of a programme that has ended have got the last of it, or had the time to: perhaps
    /// at once.
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

/// What a mount has done so far. Kept as it happens, so that nobody has to go through thousands of listeners for it.
struct MountStatistics: Hashable {
    /// The most listeners at one time.
    private(set) var peak = 0
    /// How many have begun to listen.
    private(set) var joins = 0
    /// Bytes that sockets took.
    var bytes: Int64 = 0
    /// How often listeners skipped.
    var skips = 0

    mutating func joined(listeners: Int) {
        joins += 1
        peak = max(peak, listeners)
    }
}
