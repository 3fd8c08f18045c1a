// SPDX-License-Identifier: MIT

package import RadioFormats

extension QueueItem {
    /// Creates an item from an entry of a playlist that was read from the web.
    package init(_ entry: Playlist.Entry) {
        self.init(address: entry.url, title: entry.title, length: entry.length)
        options = entry.options
    }

    /// Creates an item from an entry of a playlist on disk; `folder` is the playlist's folder, with a trailing slash,
    /// or empty. Returns nil for an address that is not http or https. The caller adds a file's size to the key.
    package init?(_ entry: FilePlaylist.Entry, folder: String) {
        switch entry.location {
        case .address(let address):
            guard URLReference(address).isWebAddress else { return nil }
            self.init(address: address, title: entry.title, length: entry.length)
            options = entry.options
        case .path(let path):
            let path = path.hasPrefix("/") ? path : folder + path
            self.init(path: path, title: entry.title, length: entry.length)
        }
    }
}
