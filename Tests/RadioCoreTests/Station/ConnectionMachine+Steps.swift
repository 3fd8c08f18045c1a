// SPDX-License-Identifier: MIT

import Instants
import RadioCore

/// Shortcuts for tests.
extension ConnectionMachine {
    static let epoch = MonotonicInstant(nanoseconds: 1_000_000_000)

    /// A station whose first frame has just arrived, at ``epoch``.
    static func live(
        mirrors: Int = 1, giveUp: Duration? = nil, isPinned: Bool = false, finalURLDiffers: Bool = false,
        seed: UInt64 = 7
    ) -> ConnectionMachine {
        var machine = ConnectionMachine(mirrors: mirrors, giveUp: giveUp, seed: seed)
        _ = machine.start(epoch)
        _ = machine.climb(.first, finalURLDiffers: finalURLDiffers, epoch)
        if isPinned { machine.pin() }
        return machine
    }

    /// Takes a connection through all steps up to its first frame.
    mutating func climb(
        _ role: Role, finalURLDiffers: Bool = false, _ now: MonotonicInstant
    ) -> Action {
        reached(.awaitingHead, role, now)
        accepted(role, finalURLDiffers: finalURLDiffers, now)
        reached(.probing, role, now)
        return frames(role, now)
    }

    /// Delivers new audio of the first connection, which began to deliver when the audio did.
    mutating func deliver(_ audio: Duration, _ now: MonotonicInstant) {
        _ = frames(.first, now)
        heard(audio, now)
    }

    /// Delivers frames of the first connection that continue the programme without a gap.
    mutating func resume(_ now: MonotonicInstant) -> Action {
        _ = frames(.first, now)
        return recovered()
    }
}

extension ConnectionMachine.Action {
    /// The attempt, if the action opens a first connection.
    var connected: ConnectionMachine.Attempt? { if case .connect(let attempt) = self { attempt } else { nil } }
    var isPromotion: Bool { if case .promote = self { true } else { false } }
    /// The attempt, if the action opens a hedge.
    var hedged: ConnectionMachine.Attempt? { if case .openHedge(let attempt) = self { attempt } else { nil } }
    var promoted: ConnectionMachine.Attempt? { if case .promote(let attempt) = self { attempt } else { nil } }
}
