// SPDX-License-Identifier: MIT

package import Playback
package import RadioCore

/// How a programme is to be heard on this machine.
package struct PlaySpec: Sendable {
    package var settings: PlayerSettings
    /// Where the sound server is; nil where the library finds it.
    package var server: String?

    package init(settings: PlayerSettings = PlayerSettings(), server: String? = nil) {
        self.settings = settings
        self.server = server
    }
}

extension PlaySpec: UseSpec {
    package func makeUse(_ context: UseContext) throws(Failure) -> any Use { try PlayUse(self, context) }
    package func outcome(_ failure: Failure) -> any UseOutcome { PlayOutcome(failure: failure) }
}

/// A player at a glance.
package struct PlayProgress: UseSnapshot, Hashable {
    package var player: PlayerSnapshot
    /// Nil where one programme is heard.
    package var queue: QueueProgress?

    package init(player: PlayerSnapshot) {
        self.player = player
    }
}

/// How playing ended.
package struct PlayOutcome: UseOutcome {
    /// How it stood at the end.
    package var player = PlayerSnapshot()
    /// Why it is not what the user wanted; nil where it is.
    package var failure: Failure?
    /// What a queue has played, and tried; nil where one programme was heard.
    package var items: [PlayedItem]?

    package init(player: PlayerSnapshot = PlayerSnapshot(), failure: Failure? = nil) {
        self.player = player
        self.failure = failure
    }
}
