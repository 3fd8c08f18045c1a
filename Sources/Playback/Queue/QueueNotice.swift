// SPDX-License-Identifier: MIT

package import RadioCore

/// An event of a queue, for the user.
package enum QueueNotice: Hashable, Sendable {
    /// An item begins to be heard, at `from` within the item.
    case began(PlayedItem, from: Duration)
    /// An item cannot be played at all, or cannot be played to its end.
    case failed(PlayedItem, Failure)
    /// An entry of a list or folder was left out; `item` may also stand for several entries, such as "12 more".
    case skipped(item: String, reason: String)
    /// The source turned out to be a list of `count` items.
    case list(title: String?, count: Int)
    /// The list continues at the item with this number.
    case continues(at: Int)
    /// An item begins at its start, because the place at which it was left cannot be found.
    case lostPlace(PlayedItem, Duration)
    /// The wanted position cannot be found in the item.
    case cannotSeek
    /// The playback positions cannot be written, so later runs will not know them.
    case cannotRemember(Failure)
    /// The repeat mode or the shuffling was changed.
    case order(QueueRepeat, isShuffled: Bool)
}
