// SPDX-License-Identifier: MIT

import Instants
import TestTools

extension LiveScript: ConnectionScript {
    package func perform(_ connection: OriginConnection) throws {
        if absence(at: connection.time)?.kind == .resetting { try connection.reset() }
        let request = try connection.readRequest()
        let visit = Visit(
            number: connection.number, target: request.target, time: connection.time,
            others: connection.log.value.open - 1)
        switch answer(visit) {
        case .stream(let stream):
            try send(stream, wantsMetadata: request.header("Icy-MetaData") == "1", on: connection)
        case .response(let head, let body): try connection.send((head.bytes + body)[...])
        case .silence: try connection.socket.stall()
        case .hangUp: break
        case .byHand, .failure, .paced: preconditionFailure("this answer exists only in virtual time")
        }
    }

    private func send(_ stream: LiveStream, wantsMetadata: Bool, on connection: OriginConnection) throws {
        let (accepted, time) = (connection.accepted + stream.headDelay, connection.time + stream.headDelay)
        if stream.headDelay > .zero { try connection.socket.stall(until: accepted) }
        try connection.send(stream.head(metadataWanted: wantsMetadata).bytes[...])
        var player = LivePlayer(
            stream, programmeTime: onAir + time, wantsMetadata: wantsMetadata,
            death: nextDeath(after: time).map { $0 - time })
        var faultsNoted = 0
        while true {
            let step = player.next(at: .now - accepted)
            for fault in player.struck.dropFirst(faultsNoted) {
                connection.log.change {
                    $0.faults.append(
                        .init(
                            connection: connection.number, effect: fault.effect, at: accepted + fault.time,
                            place: fault.place))
                }
            }
            faultsNoted = player.struck.count
            switch step {
            case .send(let piece):
                try connection.send(piece.bytes, isStream: true)
                let now = MonotonicInstant.now
                connection.log.change { $0.sent(piece.range, on: connection.number, at: now, read: now) }
            case .wait(let time): try connection.socket.stall(until: time.map { accepted + $0 })
            case .close: return
            case .reset: try connection.reset()
            }
        }
    }
}
