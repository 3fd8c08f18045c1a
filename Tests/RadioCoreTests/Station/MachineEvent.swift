// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Everything that can happen to a connection machine, as values that tests can choose at random and check.
enum MachineEvent: Hashable {
    typealias Role = ConnectionMachine.Role

    case start
    case reached(ConnectionMachine.Step, Role)
    case accepted(Role, finalURLDiffers: Bool)
    case frames(Role)
    case heard(Duration)
    case matched
    case recovered
    case paused(Bool)
    case follow(Role, mirrors: Int)
    case ended(Role, Failure?)
    case finished
    case pin
    case unpin
    case goesOver(Role)
    case tick(hedgeAllowed: Bool)
    case measured(burst: Duration, pause: Duration)
    case mayHedge(Bool)
    case replaceMirrors([Int?])
    case networkChanged
    case clockStepped
    case requestStop
}

extension ConnectionMachine {
    mutating func take(_ event: MachineEvent, _ now: MonotonicInstant) -> Action {
        switch event {
        case .start: return start(now)
        case .reached(let step, let role): reached(step, role, now)
        case .accepted(let role, let differs): accepted(role, finalURLDiffers: differs, now)
        case .frames(let role): return frames(role, now)
        case .heard(let audio): heard(audio, now)
        case .matched: return matched(now)
        case .recovered: return recovered()
        case .paused(let isPaused): paused(isPaused, now)
        case .follow(let role, let mirrors): return follow(role, mirrors: mirrors, now)
        case .ended(let role, let failure): return ended(role, failure, now)
        case .finished: return finished()
        case .pin: pin()
        case .unpin: unpin()
        case .goesOver(let role): goesOver(role, now)
        case .tick(let hedgeAllowed): return tick(now, hedgeAllowed: hedgeAllowed)
        case .measured(let burst, let pause): measured(burst: burst, pause: pause)
        case .mayHedge(let may): mayHedge = may
        case .replaceMirrors(let old): replaceMirrors(old)
        case .networkChanged: return networkChanged(now)
        case .clockStepped: return clockStepped(now)
        case .requestStop: return requestStop()
        }
        return .none
    }
}
