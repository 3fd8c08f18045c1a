// SPDX-License-Identifier: MIT

import EventLoop
import Playback
import RadioCore
import Stations

/// Plays a programme on this machine.
///
/// It claims the programme until the end. Trouble with the sound stays in the player: it affects neither the programme
/// nor its other uses.
final class PlayUse {
    private let host: ProgrammeHost
    private let context: UseContext
    private let player: Player
    private let isHeard: Bool
    private var hasTuned = false
    private var hasEnded = false

    init(_ spec: PlaySpec, _ context: UseContext) throws(Failure) {
        host = context.host
        self.context = context
        isHeard = spec.isHeard
        player = try Player(spec, reactor: context.reactor)
    }

    private func finished() {
        guard !hasEnded else { return }
        hasEnded = true
        let outcome = PlayOutcome(player: player.snapshot, failure: player.snapshot.status.failureAtEnd)
        // Deferred: the programme or the player calls this from inside its own end.
        context.reactor.defer { [self] in
            host.leave(self)
            context.onEnd(outcome)
        }
    }
}

extension PlayUse: Use {
    func begin() {
        player.onEvent = { [context] in context.tell(.player($0)) }
        player.onFinish = { [weak self] in self?.finished() }
        player.begin()
        host.join(self)
        host.claim(self)
    }

    func end() { player.stop(.user) }

    func perform(_ request: any UseRequest) {
        if let request = request as? PlayRequest { player.perform(request) }
    }

    var snapshot: (any UseSnapshot)? { PlayProgress(player: player.snapshot) }
}

extension PlayRequest: UseRequest {}

extension PlayUse: ProgrammeUser {
    func programmeBegan(_ programme: Programme) {
        guard !hasTuned, !hasEnded else { return }
        hasTuned = true
        player.tune(to: programme)
    }

    /// A tuned player learns of the end from the hub, and plays its remaining audio. A player without an output stops
    /// at once.
    func programmeEnded(_ failure: Failure?) {
        if !hasTuned { player.programmeFailed(failure) } else if !isHeard { player.stop(.user) }
    }
}
