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

    enum Position: Hashable, Sendable {
        /// The position is remembered.
        case kept
        /// The item begins at its start the next time.
        case forgotten
    }

    var step: Step
    /// Whether the position of the item that playback leaves is kept.
    var position: Position

    init(_ step: Step, position: Position = .kept) {
        self.step = step
        self.position = position
    }
}
