// SPDX-License-Identifier: MIT

/// What follows from the end of an item, or from a wish to hear another one.
package struct QueueDecision: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// This one, from its remembered position where there is one.
        case play(QueueItem)
        /// Nothing for now; the current item stays.
        case stop
        /// Nothing any more; with the failure where nothing at all could be played.
        case end(Failure?)
    }

    package enum Position: Hashable, Sendable {
        /// Where the item was left is remembered.
        case kept
        /// The item begins at its start the next time.
        case forgotten
    }

    package var step: Step
    /// Of the item that is left.
    package var position: Position

    package init(_ step: Step, position: Position = .kept) {
        self.step = step
        self.position = position
    }
}
