// SPDX-License-Identifier: MIT

package import Instants
package import RadioFormats

/// An item to be played, as far as it is known before it is opened.
package struct QueueItem: Hashable, Sendable {
    package enum Location: Hashable, Sendable {
        /// An http or https address.
        case address(String)
        /// The path of a file.
        case path(String)
    }

    /// The most items in a queue. Further items are left out.
    package static let mostInQueue = 100_000

    package var key: ItemKey
    package var location: Location
    /// The title that a list or a feed states, cleaned; nil if there is none.
    package var title: String?
    /// The name of a file, for want of a title.
    package var name: String?
    /// The length that a list or a feed states; nil if there is none.
    package var length: Duration?
    package var published: WallInstant?
    /// How a list, or the text of the address, says that the address must be requested.
    package var options = EntryOptions()
    /// Whether it is an item of a feed, which is heard once.
    package var isEpisode = false

    package init(
        key: ItemKey, location: Location, title: String? = nil, length: Duration? = nil, published: WallInstant? = nil
    ) {
        self.key = key
        self.location = location
        self.title = title
        self.length = length
        self.published = published
    }

    /// Creates an item that is identified only by its address, which may have options behind a bar.
    package init(address: String, title: String? = nil, length: Duration? = nil) {
        let (address, options) = EntryOptions.split(address)
        self.init(key: ItemKey(address: address), location: .address(address), title: title, length: length)
        self.options = options
    }

    /// Creates an item for a file.
    package init(path: String, size: Int64? = nil, title: String? = nil, length: Duration? = nil) {
        self.init(key: ItemKey(path: path, size: size), location: .path(path), title: title, length: length)
    }
}
