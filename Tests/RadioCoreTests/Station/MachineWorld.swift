// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// A simulated world for a connection machine: servers that do anything, in an order that a server and a shell can
/// cause, in virtual time, from a seed.
struct MachineWorld {
    private(set) var machine: ConnectionMachine
    private(set) var now = ConnectionMachine.epoch
    private(set) var mirrors: Int
    let giveUp: Duration?
    private var random: SplitMix64
    /// One event in this many ends a connection.
    private let reliability: Int
    private let sendsFiles: Bool
    private var (isPinned, isPaused) = (false, false)

    private static let mostMirrors = 12

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        mirrors = Int.random(in: 1...4, using: &random)
        giveUp = Int.random(in: 0..<6, using: &random) == 0 ? .seconds(60) : nil
        reliability = Int.random(in: 2...40, using: &random)
        sendsFiles = Int.random(in: 0..<8, using: &random) == 0
        machine = ConnectionMachine(mirrors: mirrors, giveUp: giveUp, seed: seed)
    }

    /// Makes one event happen; returns it and the machine's action.
    mutating func turn() -> (event: MachineEvent, action: ConnectionMachine.Action) {
        let event = nextEvent()
        switch event {
        case .follow(_, let count): (mirrors, isPinned) = (count, false)
        case .replaceMirrors(let old): (mirrors, isPinned) = (old.count, false)
        case .pin: isPinned = true
        case .unpin: isPinned = false
        case .paused(let isPaused): self.isPaused = isPaused
        default: break
        }
        return (event, machine.take(event, now))
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func nextEvent() -> MachineEvent {
        if machine.state == .idle { return chance(20) ? .requestStop : .start }
        if chance(12), let event = outsideEvent() { return event }
        let role: ConnectionMachine.Role = machine.isHedged && chance(2) ? .hedge : .first
        // Without a connection, time passes or an outdated event arrives.
        guard let connection = machine.connection(role) else { return chance(8) ? staleEvent() : tick() }
        if chance(6) { return tick() }
        pass(.milliseconds(chance(3) ? 1_500 : 60))
        if chance(reliability) { return .ended(role, chance(3) ? nil : failure()) }
        if isPinned, chance(6) { return .paused(!isPaused) }
        return progress(of: connection, role)
    }

    /// The next event of a connection, as a server and curl would cause it.
    private mutating func progress(
        of connection: ConnectionMachine.Connection, _ role: ConnectionMachine.Role
    ) -> MachineEvent {
        switch connection.step {
        case .resolving: return .reached(.connecting, role)
        case .connecting: return chance(2) ? .reached(.securing, role) : .reached(.awaitingHead, role)
        case .securing: return .reached(.awaitingHead, role)
        case .awaitingHead:
            if chance(6) { return .reached(.resolving, role) }
            return .accepted(role, finalURLDiffers: chance(3))
        case .awaitingFirstByte: return .reached(.probing, role)
        case .probing:
            if chance(12) { return .reached(.resolving, role) }
            if chance(8), mirrors < Self.mostMirrors { return .follow(role, mirrors: mirrors + random(0...2)) }
            return .frames(role)
        case .live:
            if role == .hedge, chance(3) { return .matched }
            // A first connection that has stalled resumes now and then.
            if role == .first, machine.isHedged, !chance(6) { return tick() }
            if sendsFiles, !isPinned, !machine.isHedged, chance(2) { return .pin }
            if role == .first, machine.isHedged, chance(2) { return .recovered }
            if role == .first, chance(4) { return .heard(.milliseconds(random(0...3_000))) }
            return .frames(role)
        }
    }

    private mutating func outsideEvent() -> MachineEvent? {
        switch random(0...30) {
        case 0...5: .measured(burst: .milliseconds(random(0...9_000)), pause: .milliseconds(random(0...700)))
        case 6...9: .networkChanged
        case 10...12: .clockStepped
        case 13...15: .mayHedge(!chance(3))
        case 16 where chance(10): .requestStop
        case 17 where sendsFiles && chance(4): chance(2) ? .finished : .unpin
        case 21 where sendsFiles: .goesOver(.first)
        case 18...20 where machine.connection(.first) == nil: .replaceMirrors(replacement())
        default: nil
        }
    }

    /// Chooses new mirrors: the former index of each, or nil for a mirror that was not there before.
    private mutating func replacement() -> [Int?] {
        let old = (0..<mirrors).shuffled(using: &random)
        return (0..<random(1...3)).map { $0 < old.count && !chance(3) ? old[$0] : nil }
    }

    /// An event of a connection that is already closed.
    private mutating func staleEvent() -> MachineEvent {
        let role: ConnectionMachine.Role = chance(2) ? .first : .hedge
        return [.frames(role), .reached(.probing, role), .reached(.awaitingHead, role), .matched, .ended(role, nil)][
            random(0...4)]
    }

    /// A tick, mostly at the deadline, sometimes before it or much later.
    private mutating func tick() -> MachineEvent {
        if let deadline = machine.deadline, deadline > now, !chance(10) { now = deadline }
        if chance(10) { now = now + .milliseconds(random(0...3_000)) }
        return .tick(hedgeAllowed: !chance(4))
    }

    /// Lets up to `most` pass, but seldom goes beyond the deadline.
    private mutating func pass(_ most: Duration) {
        let then = now + most * Double.random(in: 0...1, using: &random)
        now = chance(20) ? then : max(now, min(then, machine.deadline ?? then))
    }

    private mutating func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func failure() -> Failure {
        let wish: Duration? = chance(4) ? .seconds(random(0...900)) : nil
        let classes: [Failure.Class] = [
            .refused, .dropped, .notFound, .forbidden, .serverBusy, .unauthorized, .certificate, .usage, .notAudio,
            .unsupported,
        ]
        return Failure(classes[random(0...classes.count - 1)], "failed", remedy: "", retryAfter: wish)
    }
}
