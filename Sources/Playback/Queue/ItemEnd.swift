// SPDX-License-Identifier: MIT

package import RadioCore

/// How an item ended.
package enum ItemEnd: Hashable, Sendable {
    /// The whole item was heard.
    case playedToItsEnd
    /// The user wanted the next item.
    case skipped
    /// The user stopped playback.
    case stopped
    /// The item could not be played, or not to its end.
    case failed(Failure)
}
