// SPDX-License-Identifier: MIT

/// How an item ended.
package enum ItemEnd: Hashable, Sendable {
    /// All of it was heard.
    case playedToItsEnd
    /// Somebody wanted the next one.
    case skipped
    /// Somebody wanted no more.
    case stopped
    /// It could not be played, or no further.
    case failed(Failure)
}
