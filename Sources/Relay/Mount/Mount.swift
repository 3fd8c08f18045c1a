// SPDX-License-Identifier: MIT

package import EventLoop
package import HTTPServer
package import Instants
package import RadioCore
import RadioFormats
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

    /// An on-demand station that has just failed is left alone until then.
    package var restsUntil: MonotonicInstant?

    private var wasWanted = false
    /// Nil while it is tuned to none.
    private(set) var station: Feed?
    /// What players hear while the station is away; nil for silence.
    package var fallback: Fallback? {
        didSet { fallback?.onAudio = { [unowned self] in if !waiting.isEmpty { answerWaiting() } } }
    }
    var wheel = FlushWheel<Listener>()
    var round: FlushRound
    var timer: (any ReactorTimer)?
    /// When the timer is due, in ticks.
    var timerTick: Int64?

    var waiting: [WaitingRequest] = []
    private(set) var waitTimer: (any ReactorTimer)?
    var statistics = MountStatistics()
    /// When the first audio came.
    private(set) var onAirSince: WallInstant?
    /// User agents that are known, so that each is kept once.
    var agents = AgentNames()
    /// The relays that are listeners here, or wait to be.
    var downstream = Downstream()
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
        round = FlushRound(from: FlushTicks.at(reactor.now))
        timer = reactor.makeTimer { [unowned self] in
            timerTick = nil
            turn()
        }
        waitTimer = reactor.makeTimer { [unowned self] in answerWaiting() }
        addRoutes(&routes)
    }

    /// Serves a station from now on; listeners of the one before it get the rest of that, and are closed.
    package func tune(to hub: StreamHub) {
        detune()
        let feed = Feed(hub, depth: settings.ringDepth, serial: serial, reactor: reactor)
        feed.onAudio = { [unowned self] in heard() }
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
        for request in stopWaiting() { request.exchange.respond(Self.closed) }
        detune()
        for listener in wheel.all { sendRest(to: listener) }
        fallback?.close()
        timer?.cancel()
        timer = nil
        waitTimer?.cancel()
        waitTimer = nil
        hearingTimer?.cancel()
        hearingTimer = nil
    }

    private static let closed = HTTPResponse.later(.serviceUnavailable, after: .seconds(10), "this is over")

    package var listenerCount: Int { wheel.count }

    /// The title that is on the air.
    package var onAirTitle: String? { station?.hub.title?.text }

    /// Whether there is audio for a listener now.
    package var hasAudio: Bool { hasAudio(for: .player) }

    func hasAudio(for kind: ListenerKind) -> Bool {
        guard let wire = station?.wire else { return false }
        return wire.hasAudio && !isAwayForGood(wire, for: kind)
    }

    /// The `Via` field of a request for the station: it is made for all who listen or wait.
    package var via: String { downstream.via(id) }

    func join(_ listener: Listener, level: Int) {
        wheel.add(listener, level: level)
        downstream.add(listener.hops)
        listener.wire.listenerCount += 1
        statistics.joined(listeners: wheel.count)
        tellWhetherWanted()
    }

    func drop(_ listener: Listener) {
        listener.close()
        guard listener.seat != nil else { return }
        wheel.remove(listener)
        downstream.remove(listener.hops)
        listener.wire.listenerCount -= 1
        tellWhetherWanted()
        if wheel.count == 0 { wasHeard() }
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
        guard wheel.count > 0 else { return action() }
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
