// SPDX-License-Identifier: MIT

/// An item that a queue has played or tried to play.
package struct PlayedItem: Hashable, Sendable {
    /// The path, or the address without secrets.
    package var source: String
    package var title: String?
    /// How the item ended; nil until it has.
    package var end: ItemEnd?
    /// How much of the item was heard.
    package var heard = Duration.zero

    package init(source: String, title: String? = nil) {
        self.source = source
        self.title = title
    }
}
