// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Stations

// Answers clients' requests, and turns clients into listeners.
extension Mount {
    func addRoutes() {
        routes.add(path) { [unowned self] in answer($0) }
        // Each extension gets a path of its own, because some players choose their decoder by the extension of a URL.
        for name in FileType.all.map(\.fileExtension) {
            routes.add("\(path).\(name)") { [unowned self] in answer($0, as: name) }
        }
        for playlist in StreamPlaylist.allCases {
            routes.add("\(path).\(playlist)") { [unowned self] exchange in
                exchange.respond(playlist.response(for: exchange, stream: path, title: title))
            }
        }
    }

    /// The station's name, as everybody may see it: never its address.
    package var title: String {
        let info = sink?.hub.info
        return settings.fields.name ?? (info?.isNamedByURL == false ? info?.name : nil) ?? settings.unnamed
    }

    private func answer(_ exchange: HTTPExchange, as fileExtension: String? = nil) {
        let head = exchange.request.head
        guard !RelayID.hops(of: head).contains(id) else { return exchange.respond(Self.loop) }
        let past: PastWish?
        do throws(PastWish.ParseError) { past = try PastWish(head) } catch {
            return exchange.respond(HTTPResponse(.badRequest, text: "\(error)"))
        }
        let kind = ListenerKind(head, mountHasFiller: settings.hasFiller)
        let source = source(for: kind)
        if let fileExtension, let format = source?.format ?? sink?.stream?.format,
            format.fileType.fileExtension != fileExtension
        {
            return exchange.respond(HTTPResponse(.notFound, text: "this station has another codec"))
        }
        guard let source else {
            guard mayWait(kind) else { return exchange.respond(notYet) }
            return wait(exchange, kind, as: fileExtension)
        }
        if let most = settings.listeners, isFull(most) {
            return exchange.respond(.later(.serviceUnavailable, after: .seconds(30), "this station is full"))
        }
        serve(exchange, kind, source, from: past)
    }

    /// Whether there are `most` listeners. Those that have closed their side do not count, because nearly all have
    /// gone; but there may not be more of them than others, because a client can listen on.
    private func isFull(_ most: Int) -> Bool { listenerCount >= most || turns.count >= 2 * most }

    /// The output stream for a new listener: the station's, or else the fallback's.
    private func source(for kind: ListenerKind) -> ListenerStream? {
        if hasAudio(for: kind) { return sink?.stream }
        return kind == .player ? fallback?.stream(for: sink?.stream?.format?.kind) : nil
    }

    private func serve(
        _ exchange: HTTPExchange, _ kind: ListenerKind, _ stream: ListenerStream, from past: PastWish?
    ) {
        guard let format = stream.format else { return exchange.respond(notYet) }
        guard format.container.isRelayed else { return exchange.respond(Self.notRelayed) }
        let head = exchange.request.head
        let wantsTitles = head["icy-metadata"] == "1" && format.container != .ogg
        let interval = wantsTitles ? settings.metadataInterval : nil
        let (ring, wall) = (stream.ring, reactor.readClocks().wall)
        let cursor =
            past.map { stream.cursor(onAirAt: $0.instant(wall), wall) } ?? joinPoint(head, stream, kind)
        var response = streamHead(format, interval, exchange.fields)
        if past != nil || kind.isRecorder {
            response.fields.append(HTTPField(AirTimeField.name, AirTimeField.value(stream.airTime(of: cursor, wall))))
        }
        if kind.isRecorder, let age = ageField(of: cursor, stream) { response.fields.append(age) }
        guard head.method == .get else { return exchange.respondWithHead(of: response) }
        guard let socket = exchange.takeOver() else { return }
        let place = ListenerPlace(
            head: PinnedBytes(response.encodedStreamHead(minorVersion: head.minorVersion)),
            header: stream.header(at: cursor), cursor: cursor, kind: format.kind, endsByCodec: kind.isRecorder,
            interval: interval)
        let cushion = ring.lag(of: cursor)
        let listener = Listener(
            socket, agent: name(ofAgent: exchange.request.userAgent ?? ""), kind: kind, hops: RelayID.hops(of: head),
            stream: stream, place: place, start: stream.mediaTime - cushion,
            ownLag: past == nil ? .zero : cushion + settings.slack, mount: self, now: reactor.now)
        if stream !== sink?.stream { listener.home = Home(nil) }
        listener.setSendBuffer(sendBuffer(ring))
        join(listener, level: level(forCushion: cushion))
        visit(listener)
        turns.armForNextTurn()
    }

    private func streamHead(_ format: StreamFormat, _ interval: Int?, _ others: [HTTPField]) -> HTTPResponse {
        var fields = stationFields(format) + service.commonFields()
        fields += others
        if let interval { fields.append(HTTPField("icy-metaint", String(interval))) }
        return HTTPResponse(.ok, fields: fields)
    }

    /// The fields that describe the station.
    func stationFields(_ format: StreamFormat) -> [HTTPField] {
        StationFields.fields(
            sink?.hub.info, format, settings.fields, name: title, measuredRate: sink?.stream?.bitRate)
    }

    /// The `Age` field; nil if the burst ends at the station's live edge, because a recorder then calculates its first
    /// frame's age itself. It cannot do so if audio was held back or the station is unavailable.
    private func ageField(of cursor: RingCursor, _ stream: ListenerStream) -> HTTPField? {
        guard let newest = stream.age(reactor.readClocks().wall), newest > Self.fresh else { return nil }
        return AgeField.value(newest + stream.ring.lag(of: cursor)).map { HTTPField(AgeField.name, $0) }
    }

    /// While a station is sending, its newest frame is normally no older than this.
    private static let fresh = Duration.milliseconds(500)

    /// Where a listener begins. A recorder must not miss audio between two connections. If the newest gap is still in
    /// the ring, that gap may have ended the recorder's last connection, so the recorder gets all audio since the gap.
    /// This does not apply to a new recorder, which has had no earlier connection.
    private func joinPoint(_ head: HTTPRequestHead, _ stream: ListenerStream, _ kind: ListenerKind) -> RingCursor {
        let ring = stream.ring
        if kind == .recorder(isNew: false), let gap = stream.gaps.newest, !ring.isOverrun(gap) { return gap }
        return joinPoint(BurstWish(head) ?? .seconds(settings.burst(stream.lumps)), stream)
    }

    /// Where a burst begins, within the limits of time and bytes.
    private func joinPoint(_ wish: BurstWish, _ stream: ListenerStream) -> RingCursor {
        let ring = stream.ring
        let largest = max(settings.largestBurst, settings.burst(stream.lumps))
        let mostBytes = settings.burstBytes(stream.lumps)
        var (time, most): (Duration, Int) =
            switch wish {
            case .seconds(let seconds): (min(seconds, largest), mostBytes)
            case .bytes(let bytes): (largest, min(bytes, mostBytes))
            }
        var cursor = ring.joinPoint(behind: time)
        // Bytes are not spread evenly over time, and join points lie at frames, so approach the limit step by step.
        while cursor < ring.liveEdge {
            let bytes = Int(clamping: ring.position.bytes - ring.position(of: cursor).bytes)
            guard bytes > most else { break }
            time = min(ring.lag(of: cursor) * most / bytes, time - .milliseconds(50))
            cursor = time > .zero ? ring.joinPoint(behind: time) : ring.liveEdge
        }
        return cursor
    }

    /// Four seconds of audio, within sensible limits.
    private func sendBuffer(_ ring: Ring) -> Int {
        let from = ring.joinPoint(behind: .seconds(4))
        return min(max(64 * 1024, Int(clamping: ring.position.bytes - ring.position(of: from).bytes)), 256 * 1024)
    }

    private static let loop = HTTPResponse(
        .loopDetected, text: "your relay feeds this relay: change the station address of one of the two")

    private static let notRelayed = HTTPResponse(
        .notFound, text: "this station's format can be recorded, but not relayed")

    private var notYet: HTTPResponse {
        let now = reactor.now
        if let restsUntil, restsUntil > now {
            return .later(.serviceUnavailable, after: restsUntil - now, "the station is not available just now")
        }
        return .later(.serviceUnavailable, after: .seconds(2), "there is no audio yet")
    }
}

// MARK: - Waiting

extension Mount {
    /// Whether audio may soon arrive for a listener that has none yet.
    private func mayWait(_ kind: ListenerKind) -> Bool {
        if kind == .player, fallback != nil { return true }
        guard settings.isOnDemand, sink?.hasEnded != true else { return false }
        return restsUntil.map { $0 <= reactor.now } ?? true
    }

    private func wait(_ exchange: HTTPExchange, _ kind: ListenerKind, as fileExtension: String?) {
        guard exchange.reserveStream() else { return }
        let hops = RelayID.hops(of: exchange.request.head)
        waiting.add(
            WaitingRequest(
                exchange: exchange, kind: kind, fileExtension: fileExtension, hops: hops, since: reactor.now))
        // Recorders and relays never half-close their connections.
        if kind.isRecorder || !hops.isEmpty {
            exchange.whenClientCloses { [weak self, weak exchange] in exchange.map { self?.stopWaiting($0) } }
        }
        // If other requests wait, the timer is armed already: either for the first of them, or to fire at once because
        // the waiting requests are being answered in turns.
        if waiting.count == 1 { armWaiting() }
        if !isExpected { wantFallback() }
        tellWhetherWanted()
    }

    /// Whether the station may soon have audio: it is being connected to, or will be.
    private var isExpected: Bool {
        guard let sink else { return restsUntil.map { $0 <= reactor.now } ?? true }
        return !sink.hasEnded && sink.stream == nil
    }

    /// Arms the timer for when the first waiting request needs the fallback or an answer, unless audio arrives before.
    private func armWaiting() {
        guard let first = waiting.first else { return waitTimer?.cancel() ?? () }
        let isEarly = fallback != nil && reactor.now < first.since + settings.fallbackWait
        waitTimer?.arm(at: first.since + (isEarly ? settings.fallbackWait : settings.longestWait))
    }

    /// Serves waiting clients for which there is audio, and refuses those whose time is up. Clients for which there is
    /// no time in this turn of the loop are handled in the next turns.
    func answerWaiting() {
        let now = reactor.now
        let deadline = reactor.readClocks().now + Self.slice
        let wereAllSeen = waiting.sort { request in
            if source(for: request.kind) != nil {
                answer(request.exchange, as: request.fileExtension)
            } else if isInVain(request, now) {
                request.exchange.respond(notYet)
            } else {
                return .keep
            }
            return reactor.readClocks().now >= deadline ? .dropAndPause : .drop
        }
        tellWhetherWanted()
        guard wereAllSeen else { return waitTimer?.arm(at: now) ?? () }
        armWaiting()
        if let first = waiting.first, now - first.since >= settings.fallbackWait { wantFallback() }
    }

    private func isInVain(_ request: WaitingRequest, _ now: MonotonicInstant) -> Bool {
        if now - request.since >= settings.longestWait { return true }
        // No station means that the owner released it before all clients were refused.
        return (sink?.hasEnded ?? true) && !(request.kind == .player && fallback != nil)
    }

    private func wantFallback() {
        if waiting.hasPlayer { fallback?.want() }
    }

    /// Removes a client that has gone. The timer stays armed while other clients wait, because it may be answering them
    /// in turns.
    private func stopWaiting(_ exchange: HTTPExchange) {
        guard waiting.remove(exchange) else { return }
        if waiting.isEmpty { armWaiting() }
        tellWhetherWanted()
    }
}
