// SPDX-License-Identifier: MIT

/// What a queue repeats.
package enum QueueRepeat: String, Hashable, Sendable, CaseIterable {
    case none
    /// The current item, until the user wants another or it fails.
    case one
    /// All items, round after round.
    case all
}
