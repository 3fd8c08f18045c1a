// SPDX-License-Identifier: MIT

package import Playback
package import RadioCore

/// How to play a programme on this machine.
package struct PlaySpec: Sendable {
    package enum Output: Hashable, Sendable {
        /// The sound server at this address; nil is the default sound server.
        case server(String?)
        /// No sound output: the player only measures the loudness.
        case none
    }

    package var settings: PlayerSettings
    package var output: Output

    package init(settings: PlayerSettings = PlayerSettings(), output: Output = .server(nil)) {
        self.settings = settings
        self.output = output
    }

    package var isHeard: Bool { output != .none }
}

extension PlaySpec: UseSpec {
    package func makeUse(_ context: UseContext) throws(Failure) -> any Use { try PlayUse(self, context) }
    package func outcome(_ failure: Failure) -> any UseOutcome { PlayOutcome(failure: failure) }
}

/// A snapshot of a player.
package struct PlayProgress: UseSnapshot, Hashable {
    package var player: PlayerSnapshot
    /// Nil if a single programme is played.
    package var queue: QueueProgress?

    package init(player: PlayerSnapshot) {
        self.player = player
    }
}

/// How playing ended.
package struct PlayOutcome: UseOutcome {
    /// The player's state at the end.
    package var player = PlayerSnapshot()
    /// Why playing did not end as the user wanted; nil if it did.
    package var failure: Failure?
    /// The items that a queue has played or tried to play; nil if a single programme was played.
    package var items: [PlayedItem]?

    package init(player: PlayerSnapshot = PlayerSnapshot(), failure: Failure? = nil) {
        self.player = player
        self.failure = failure
    }
}
