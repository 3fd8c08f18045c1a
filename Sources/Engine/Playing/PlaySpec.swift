// SPDX-License-Identifier: MIT

package import Playback
package import RadioCore

/// How a programme is to be heard on this machine.
package struct PlaySpec: Sendable {
    package enum Output: Hashable, Sendable {
        /// A sound server: its address, or nil for the one that the library finds.
        case server(String?)
        /// Nothing is heard: it is only measured how loud it would be.
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
