// SPDX-License-Identifier: MIT

package import EventLoop
package import HTTPServer
import Instants
package import RadioCore
import RadioFormats
package import Stations

/// A station re-served under a path: any number of listeners, each with a cursor in the station's ring.
///
/// Confined to the loop's thread. Audio goes out to a listener when it joins, then at its slot of the flush interval,
/// and in between only where its socket was full; slots spread the listeners so that thousands are no spike.
package final class Mount {
    package let path: String
    private let hub: StreamHub
    private let service: HTTPService
    private let reactor: any Reactor
    private let settings: MountSettings

    private var titles = TitleTimeline()
    private var slots: [[Listener]] = Array(repeating: [], count: slotCount)
    private var nextSlot = 0
    private var timer: (any ReactorTimer)?
    private var newestSlab: Int64 = 0
    private var hasEnded = false

    private static let slotCount = 8

    /// Serves the hub's station at `path` of the service, from now on until ``close()``.
    package init(
        _ path: String, of hub: StreamHub, on service: HTTPService, reactor: any Reactor,
        settings: MountSettings = MountSettings()
    ) {
        self.path = path
        self.hub = hub
        self.service = service
        self.reactor = reactor
        self.settings = settings
        timer = reactor.makeTimer { [unowned self] in flushSlot() }
        hub.keep(settings.ringDepth)
        hub.attach(self)
        service.router.add(path, [.get, .head]) { [unowned self] exchange in answer(exchange) }
    }

    /// Who listens now.
    package var listeners: [Listener] { slots.flatMap { $0 } }
    package var listenerCount: Int { slots.reduce(0) { $0 + $1.count } }

    /// Takes the path back and closes all listeners.
    package func close() {
        service.router.remove(path)
        hub.detach(self)
        timer?.cancel()
        timer = nil
        for listener in listeners { listener.close() }
        slots = []
    }
}

// MARK: - From the station

extension Mount: StreamSink {
    /// Listeners get audio at the slots.
    package var tolerance: Duration? { slotInterval }

    package func receive(_ event: StreamEvent) {
        switch event {
        case .title(let title):
            titles.add(title)
        case .chunk:
            let newest = hub.ring.liveEdge.slab
            guard newest != newestSlab else { return }
            newestSlab = newest
            rescueSlowListeners()
        case .ended:
            hasEnded = true
            for listener in listeners { flush(listener) }
        case .station, .format, .discontinuity, .splice, .foreign, .airTime:
            // A listener meets a new format in the ring, at its own time.
            break
        }
    }

    /// A cursor that the ring's tail is about to overtake skips to the newest join point.
    private func rescueSlowListeners() {
        for listener in listeners where newestSlab - listener.place.cursor.slab > 1 {
            guard isTooFarBehind(listener) else { continue }
            // One that only waits for its flush, while much came at once, is not slow.
            flush(listener)
            guard listener.isOpen, isTooFarBehind(listener) else { continue }
            let cursor = hub.ring.joinPoint(behind: burst)
            if !listener.skip(to: cursor, hub.ring, now: reactor.now, settings) { drop(listener) }
        }
    }

    private func isTooFarBehind(_ listener: Listener) -> Bool {
        hub.ring.isOverrun(listener.place.cursor)
            || hub.ring.lag(of: listener.place.cursor) > settings.burst + settings.slack
    }

    /// The burst as far as its limit in bytes lets it be.
    private var burst: Duration {
        let bytes = hub.ring.position.bytes - hub.ring.position(of: hub.ring.joinPoint(behind: settings.burst)).bytes
        guard bytes > settings.burstBytes else { return settings.burst }
        return settings.burst * settings.burstBytes / Int(clamping: bytes)
    }
}

// MARK: - From clients

extension Mount {
    private func answer(_ exchange: HTTPExchange) {
        let ring = hub.ring
        guard !hasEnded, let format = ring.format, ring.position.frames > 0 else {
            return exchange.respond(Self.later("there is no audio yet, try again soon", seconds: 2))
        }
        guard !format.codec.isOgg else {
            return exchange.respond(HTTPResponse(.notImplemented, text: "Ogg is not relayed yet"))
        }
        if let most = settings.listeners, listenerCount >= most {
            return exchange.respond(Self.later("all places are taken, try again later", seconds: 30))
        }
        let head = exchange.request.head
        let interval = head["icy-metadata"] == "1" ? settings.metadataInterval : nil
        let response = streamHead(format, interval)
        guard head.method == .get else { return exchange.respondWithHead(of: response) }
        guard let socket = exchange.takeOver() else { return }
        let place = ListenerPlace(
            head: response.encodedStreamHead(minorVersion: head.minorVersion), cursor: ring.joinPoint(behind: burst),
            format: format, interval: interval)
        join(
            Listener(exchange.request, socket: socket, place: place, slot: emptiestSlot, mount: self, now: reactor.now))
    }

    private static func later(_ text: String, seconds: Int) -> HTTPResponse {
        HTTPResponse(.serviceUnavailable, fields: [HTTPField("Retry-After", String(seconds))], text: text)
    }

    private func streamHead(_ format: StreamFormat, _ interval: Int?) -> HTTPResponse {
        var fields = StationFields.fields(hub.info, format) + service.commonFields()
        if let interval { fields.append(HTTPField("icy-metaint", String(interval))) }
        return HTTPResponse(.ok, fields: fields)
    }

    func isReady(_ listener: Listener, for readiness: Readiness) {
        if readiness.contains(.read), !listener.drainInput() { return drop(listener) }
        if readiness.contains(.write) { flush(listener) }
    }

    private func join(_ listener: Listener) {
        listener.setSendBuffer(sendBuffer)
        slots[listener.slot].append(listener)
        if let timer, !timer.isArmed { timer.arm(at: reactor.now + slotInterval) }
        flush(listener)
    }

    /// Four seconds of audio, within what is sensible.
    private var sendBuffer: Int {
        let from = hub.ring.joinPoint(behind: .seconds(4))
        return min(
            max(64 * 1024, Int(clamping: hub.ring.position.bytes - hub.ring.position(of: from).bytes)), 256 * 1024)
    }

    private var emptiestSlot: Int {
        slots.indices.min { slots[$0].count < slots[$1].count } ?? 0
    }

    private func drop(_ listener: Listener) {
        listener.close()
        guard slots.indices.contains(listener.slot) else { return }
        slots[listener.slot].removeAll { $0 === listener }
    }
}

// MARK: - Sending

extension Mount {
    private var slotInterval: Duration { settings.flushInterval / Self.slotCount }

    private func flushSlot() {
        nextSlot = (nextSlot + 1) % Self.slotCount
        for listener in slots[nextSlot] { flush(listener) }
        if let timer, listenerCount > 0 { timer.arm(at: reactor.now + slotInterval) }
    }

    private func flush(_ listener: Listener) {
        switch listener.flush(hub.ring, titles, now: reactor.now) {
        case .behind: break
        case .caughtUp: if hasEnded { drop(listener) }
        case .over, .broken: drop(listener)
        }
    }
}
