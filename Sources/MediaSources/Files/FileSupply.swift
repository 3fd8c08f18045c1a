// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// Supplies the items of a ``MediaPlan``. It looks for them anew in each round, so that changes on disk take effect.
///
/// Confined to the reader's thread, because all calls block.
final class FileSupply: MediaSupply {
    let stop: StopFlag?
    private let input: MediaPlan.Input

    init(_ input: MediaPlan.Input, stop: StopFlag) {
        self.input = input
        self.stop = stop
    }

    var mayChange: Bool {
        if case .paths = input { true } else { false }
    }

    func round(_ skip: (String, String) -> Void) -> [MediaItem] {
        guard case .paths(let paths) = input else {
            return [MediaItem(stream: .standardInput, name: "standard input")]
        }
        var items: [MediaItem] = []
        for path in paths { items += expanded(path, skip) }
        return Array(items.prefix(FolderScan.mostFiles))
    }

    private func expanded(_ path: String, _ skip: (String, String) -> Void) -> [MediaItem] {
        var status = stat()
        guard stat(path.pathBytes, &status) == 0 else {
            skip(path, "\(SystemError(number: errno))".lowercased())
            return []
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            let scan = FolderScan(path, stop: stop)
            for (name, reason) in scan.skipped { skip(name, reason) }
            return scan.files.map { MediaItem(file: $0.path, name: $0.name) }
        case S_IFREG:
            guard let list = PlaylistFile(path) else { return [MediaItem(file: path, name: Self.lastPart(of: path))] }
            return items(of: list, skip)
        default:
            return [MediaItem(stream: .path(path), name: Self.lastPart(of: path))]
        }
    }

    private static func lastPart(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

// MARK: - Playlists

extension FileSupply {
    private func items(of playlist: PlaylistFile, _ skip: (String, String) -> Void) -> [MediaItem] {
        playlist.entries.compactMap { entry in
            switch entry.location {
            case .address(let address):
                skip(
                    AddressText(address).redacted, "it is an address, not a file; relay this address on its own"
                )
                return nil
            case .path(let place):
                return MediaItem(
                    file: playlist.path(of: place), name: Self.lastPart(of: place), title: entry.title)
            }
        }
    }
}
