// SPDX-License-Identifier: MIT

package import EventLoop
package import HTTPServer
package import Instants
package import RadioCore
import RadioFormats
package import Stations

/// A station re-served under a path: any number of listeners, each with a cursor in the station's audio.
///
/// Confined to the loop's thread. It hears the station here; what clients ask is in `Mount+Requests.swift`, and who is
/// sent what and when in `Mount+Flushing.swift`.
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
    private(set) var hub: StreamHub?
    private(set) var wire: Wire?
    var wheel = FlushWheel<Listener>()
    var round: FlushRound
    var marks = AudioMarks()
    var timer: (any ReactorTimer)?
    /// When the timer is due, in ticks.
    var timerTick: Int64?

    var outage = OutageWatch()
    /// The silence of the outage that is under way.
    var comfort = OutageComfort.unknown
    /// Where the programme goes on after the last gap.
    private(set) var gapEdge: RingCursor?
    var waiting: [WaitingRequest] = []
    private(set) var waitTimer: (any ReactorTimer)?
    var statistics = MountStatistics()
    /// When the first audio came.
    private(set) var onAirSince: WallInstant?
    /// User agents that are known, so that each is kept once.
    var agents = AgentNames()
    private var routes: [String] = []
    /// The station has ended; what it sent is still sent on.
    private(set) var hasEnded = false
    private var onHeard: (() -> Void)?
    private var hearingTimer: (any ReactorTimer)?
    private let serial: UInt32

    /// A mount at `path` of the service, from now on until ``close()``; it has no audio before ``tune(to:)``. `serial`
    /// is any number, for the logical streams of Ogg.
    package init(
        _ path: String, on service: HTTPService, reactor: any Reactor, settings: MountSettings = MountSettings(),
        serial: UInt32 = 1
    ) {
        self.path = path
        self.service = service
        self.reactor = reactor
        self.settings = settings
        self.serial = serial
        round = FlushRound(from: FlushTicks.at(reactor.now))
        timer = reactor.makeTimer { [unowned self] in
            timerTick = nil
            turn()
        }
        waitTimer = reactor.makeTimer { [unowned self] in patienceIsOver() }
        addRoutes(&routes)
    }

    /// Serves a station from now on; listeners of the one before it are closed.
    package func tune(to hub: StreamHub) {
        detune()
        self.hub = hub
        wire = Wire(hub, depth: settings.ringDepth(unseen: Self.usuallyUnseen), serial: serial)
        outage = OutageWatch()
        marks = AudioMarks(at: round.tick)
        hub.attach(self)
    }

    /// Serves nothing any more, until it is tuned again; listeners get what their sockets take at once, and are closed.
    package func detune() {
        for listener in wheel.all { sendRest(to: listener) }
        hub?.detach(self)
        hub = nil
        hasEnded = false
        wire = nil
        comfort = .unknown
        gapEdge = nil
        onAirSince = nil
    }

    /// Takes the path back and closes all listeners.
    package func close() {
        for route in routes { service.router.remove(route) }
        let late = waiting
        waiting = []
        for request in late { request.exchange.respond(Self.closed) }
        detune()
        timer?.cancel()
        timer = nil
        waitTimer?.cancel()
        waitTimer = nil
        hearingTimer?.cancel()
        hearingTimer = nil
    }

    /// As a rule no more comes between two turns of everybody.
    static let usuallyUnseen = FlushTicks.interval(level: FlushTicks.levels.upperBound) * 4
    private static let closed = HTTPResponse.later(.serviceUnavailable, after: .seconds(10), "this is over")

    package var listenerCount: Int { wheel.count }

    /// The title that is on the air.
    package var onAirTitle: String? { hub?.title?.text }

    /// Whether there is audio for a listener now.
    package var hasAudio: Bool {
        guard let wire, !hasEnded else { return false }
        return wire.hasAudio && !isAwayForGood
    }

    func join(_ listener: Listener, level: Int) {
        wheel.add(listener, level: level)
        statistics.joined(listeners: wheel.count)
        tellWhetherWanted()
    }

    func drop(_ listener: Listener) {
        listener.close()
        guard listener.seat != nil else { return }
        wheel.remove(listener)
        tellWhetherWanted()
        if wheel.count == 0 { wasHeard() }
    }

    /// Somebody has come or gone. One who waits wants the station as much as one who listens.
    func tellWhetherWanted() {
        let isWanted = wheel.count > 0 || !waiting.isEmpty
        guard isWanted != wasWanted else { return }
        wasWanted = isWanted
        onWanted?(isWanted)
    }
}

// MARK: - From the station

extension Mount: StreamSink {
    /// Listeners wait for their turn anyway, and each wake-up for a little audio costs as much as a dozen of them.
    package var tolerance: Duration? { .milliseconds(150) }

    package func receive(_ event: StreamEvent) {
        switch event {
        case .format(let format, _):
            begin(format)
        case .title(let title):
            wire?.add(title)
        case .discontinuity(let discontinuity):
            // What a station leaves out inside one connection is no break: what follows comes as it would have come.
            guard case .gap(let gap) = discontinuity.kind, !gap.isInsideConnection else { break }
            gapEdge = wire?.ring.liveEdge
            outage.brokeOff()
        case .splice:
            outage.brokeOff()
        case .chunk(let chunk):
            wire?.append(chunk)
            if onAirSince == nil { onAirSince = reactor.wallNow }
            outage.heard(reactor.now)
            comfort = .unknown
            makeRoom()
            if !waiting.isEmpty { answerWaiting() }
        case .ended:
            // Listeners get the last of it when it is their turn.
            hasEnded = true
            wire?.end()
            answerWaiting()
        case .station, .foreign, .airTime:
            break
        }
    }

    private func begin(_ format: StreamFormat) {
        comfort = .unknown
        guard let wire, wire.isMoved(by: format) else { return self.wire?.begin(format) ?? () }
        // Listeners meet a new codec at their own time, in the ring that they are in. But Ogg's is made anew.
        if format.codec.isOgg {
            for listener in wheel.all where listener.place.codec.isOgg { drop(listener) }
        }
        gapEdge = nil
        self.wire?.begin(format)
    }

    /// So much may come at once that the ring's tail would overtake those who only wait for their turn.
    private func makeRoom() {
        guard let mediaTime = wire?.mediaTime else { return }
        guard wheel.count > 0 else { return marks = AudioMarks(at: FlushTicks.at(reactor.now), mediaTime) }
        wire?.keep(settings.ringDepth(unseen: mediaTime - marks.seenByAll))
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
