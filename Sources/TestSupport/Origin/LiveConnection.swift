// SPDX-License-Identifier: MIT

import Instants
import TestTools

/// One connection of a ``LiveOrigin``. Blocks its thread.
struct LiveConnection {
    private let socket: OriginSocket
    private let number: Int
    /// The visit. Its target is empty until the request has arrived.
    private let visit: LiveScript.Visit
    private let script: LiveScript
    private let accepted: MonotonicInstant
    private let log: Watched<OriginLog>
    private var faultsNoted = 0

    init(
        _ socket: OriginSocket, number: Int, visit: LiveScript.Visit, script: LiveScript, accepted: MonotonicInstant,
        log: Watched<OriginLog>
    ) {
        self.socket = socket
        self.number = number
        self.visit = visit
        self.script = script
        self.accepted = accepted
        self.log = log
    }

    /// Performs the script and closes the connection.
    mutating func play() {
        do {
            try perform()
            try socket.closeOrderly()
        } catch {
            // Whatever the error is, the connection is closed below.
        }
        log.change { $0.open -= 1 }
        socket.close()
    }

    private mutating func perform() throws {
        if script.absence(at: visit.time)?.kind == .resetting { try reset() }
        let request = try socket.readHead()
        let wantsMetadata = request.header("Icy-MetaData") == "1"
        log.change { [number] in
            $0.requests.append(
                .init(connection: number, at: .now, target: request.target, wantsMetadata: wantsMetadata))
        }
        let visit = LiveScript.Visit(
            number: visit.number, target: request.target, time: visit.time, others: log.value.open - 1)
        switch script.answer(visit) {
        case .stream(let stream): try send(stream, wantsMetadata)
        case .response(let head, let body): try socket.send((head.bytes + body)[...]) { _ in }
        case .silence, .byHand: try socket.stall()
        case .hangUp, .failure: break
        }
    }

    private mutating func send(_ stream: LiveStream, _ wantsMetadata: Bool) throws {
        try socket.send(stream.head(metadataWanted: wantsMetadata).bytes[...]) { _ in }
        var player = LivePlayer(
            stream, programmeTime: script.onAir + visit.time, wantsMetadata: wantsMetadata,
            death: script.nextDeath(after: visit.time).map { $0 - visit.time })
        while true {
            let step = player.next(at: .now - accepted)
            noteFaults(of: player)
            switch step {
            case .send(let bytes): try socket.send(bytes) { [log] count in log.change { $0.bodyBytes += count } }
            case .wait(let time): try socket.stall(until: time.map { accepted + $0 })
            case .close: return
            case .reset: try reset()
            }
        }
    }

    private func reset() throws {
        socket.prepareReset()
        throw OriginSocket.Ended.byScript
    }

    private mutating func noteFaults(of player: LivePlayer) {
        guard player.struck.count > faultsNoted else { return }
        for fault in player.struck.dropFirst(faultsNoted) {
            log.change { [number, accepted] in
                $0.faults.append(
                    .init(connection: number, effect: fault.effect, at: accepted + fault.time, place: fault.place))
            }
        }
        faultsNoted = player.struck.count
    }
}
