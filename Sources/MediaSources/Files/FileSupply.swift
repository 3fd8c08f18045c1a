// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioCore
import RadioFormats

/// The items of a ``MediaPlan``, looked for anew in each round: what came since is there, what is gone is not.
///
/// Confined to the reader's thread: all of it blocks.
final class FileSupply: MediaSupply {
    let stop: StopFlag?
    private let source: MediaPlan.Source

    init(_ source: MediaPlan.Source, stop: StopFlag) {
        self.source = source
        self.stop = stop
    }

    var mayChange: Bool {
        if case .paths = source { true } else { false }
    }

    func round(_ skip: (String, String) -> Void) -> [MediaItem] {
        guard case .paths(let paths) = source else {
            return [MediaItem(stream: .standardInput, name: "standard input")]
        }
        var items: [MediaItem] = []
        for path in paths { items += expanded(path, skip) }
        return Array(items.prefix(FolderScan.mostFiles))
    }

    private func expanded(_ path: String, _ skip: (String, String) -> Void) -> [MediaItem] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            skip(path, "\(SystemError(number: errno))".lowercased())
            return []
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            let scan = FolderScan(path, stop: stop)
            for (name, reason) in scan.skipped { skip(name, reason) }
            return scan.files.map { MediaItem(file: $0.path, name: $0.name) }
        case S_IFREG:
            guard let kind = playlistKind(path) else { return [MediaItem(file: path, name: Self.lastPart(of: path))] }
            return entries(ofPlaylist: path, kind, skip)
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
    /// Nil where it is none: its first bytes tell, and where they do not, its name.
    func playlistKind(_ path: String) -> PlaylistKind? {
        let recognizer = StreamRecognizer(contentType: nil, url: path)
        guard let bytes = bytes(ofFile: path, atMost: StreamRecognizer.limit) else { return nil }
        switch bytes.withUnsafeBytes({ recognizer.guess($0, isComplete: true) }) {
        case .playlist(let kind): return kind
        // A list of names, each as if it were one of an album.
        case .text where Self.endings.contains(where: { path.lowercased().hasSuffix($0) }): return .m3u
        default: return nil
        }
    }

    private static let endings = [".m3u", ".m3u8"]

    private func entries(
        ofPlaylist path: String, _ kind: PlaylistKind, _ skip: (String, String) -> Void
    ) -> [MediaItem] {
        guard let bytes = bytes(ofFile: path, atMost: FilePlaylist.longestBody) else { return [] }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return FilePlaylist(bytes, kind: kind).entries.compactMap { entry in
            switch entry.place {
            case .address(let address):
                skip(Self.withoutSecrets(address), "it is not on this disk; an address can be relayed on its own")
                return nil
            case .path(let place):
                let path = place.hasPrefix("/") ? place : folder + place
                return MediaItem(file: path, name: Self.lastPart(of: place), title: entry.title)
            }
        }
    }

    /// Without user, password and query.
    private static func withoutSecrets(_ address: String) -> String {
        var url = URLReference(address)
        url.authority = url.authority?.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init)
        (url.query, url.fragment) = (nil, nil)
        return url.text
    }

    func bytes(ofFile path: String, atMost limit: Int) -> [UInt8]? {
        guard let reader = try? FileReader(path) else { return nil }
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let hasMore = try? reader.read(min(64 << 10, limit - bytes.count)) { bytes.append(contentsOf: $0) }
            guard hasMore == true else { break }
        }
        return bytes
    }
}
