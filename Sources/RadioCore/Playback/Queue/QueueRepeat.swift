// SPDX-License-Identifier: MIT

/// What a queue plays again.
package enum QueueRepeat: String, Hashable, Sendable, CaseIterable {
    case none
    /// The current item, until somebody wants another one or it fails.
    case one
    /// All items, round after round.
    case all
}
