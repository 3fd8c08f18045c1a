// SPDX-License-Identifier: MIT

import RadioCore

/// What to do after an item has ended, or after the user asked for another one.
struct QueueDecision: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Play this item, from its remembered position if it has one.
        case play(QueueItem)
        /// Play nothing more; with a failure if nothing at all could be played.
        case end(Failure?)
    }

    var step: Step
    /// Whether the position of the item that playback leaves is remembered. If not, the item begins at its start the
    /// next time.
    var keepsPosition: Bool

    init(_ step: Step, keepsPosition: Bool = true) {
        self.step = step
        self.keepsPosition = keepsPosition
    }
}
