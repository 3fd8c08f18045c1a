// SPDX-License-Identifier: MIT

/// What a queue repeats.
package enum QueueRepeat: String, Hashable, Sendable, CaseIterable {
    case none
    /// Repeats the current item, until the user wants another item or the current item fails.
    case one
    /// Repeats all items, round after round.
    case all
}
