// SPDX-License-Identifier: MIT

package import RadioFormats

extension QueueItem {
    /// An entry of a playlist that came from the web.
    package init(_ entry: Playlist.Entry) {
        self.init(address: entry.url, title: entry.title, length: entry.length)
    }

    /// An entry of a playlist on the disk; `folder` is the playlist's, with its slash or empty. Nil for an address that
    /// is not of the web. The size of a file is the caller's to add to its key.
    package init?(_ entry: FilePlaylist.Entry, folder: String) {
        switch entry.place {
        case .address(let address):
            guard URLReference(address).isWebAddress else { return nil }
            self.init(address: address, title: entry.title, length: entry.length)
        case .path(let place):
            let path = place.hasPrefix("/") ? place : folder + place
            self.init(path: path, title: entry.title, length: entry.length)
        }
    }
}
