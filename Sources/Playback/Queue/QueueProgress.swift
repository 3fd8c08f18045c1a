// SPDX-License-Identifier: MIT

package import Stations

/// A snapshot of a queue.
package struct QueueProgress: Hashable, Sendable {
    /// The title of the item being heard, from a list or from its name.
    package var title: String?
    package var source: String?
    /// The item's position in the list, counted from 1; nil if the item is not in the list.
    package var number: Int?
    package var count = 0
    package var repeats = QueueRepeat.none
    package var isShuffled = false
    /// Whether the item has an end.
    package var isFinite = false
    /// The state of the item's connection; nil until the item is open.
    package var station: StationSnapshot?

    package init() {}
}
