// SPDX-License-Identifier: MIT

import RadioFormats

/// A playlist on disk. Reading it blocks.
struct PlaylistFile {
    let entries: [FilePlaylist.Entry]
    /// How many further entries were left out.
    let leftOut: Int
    /// Whether the file is longer than the part that was read.
    let isCutOff: Bool
    /// The folder of the playlist, with a trailing slash; empty for the working directory.
    let folder: String
    /// The byte for each character of a playlist in Windows-1252; empty if the playlist is UTF-8.
    private let letters: [Unicode.Scalar: UInt8]

    /// Reads the playlist at a path; nil if the file is not a playlist. The file's first bytes decide that, or its name
    /// if the bytes are inconclusive.
    init?(_ path: String) {
        guard let kind = Self.kind(of: path) else { return nil }
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let bytes = FileBytes.read(path, atMost: FilePlaylist.longestBody + 1) ?? []
        isCutOff = bytes.count > FilePlaylist.longestBody
        let body = Array(bytes.prefix(FilePlaylist.longestBody))
        let list = FilePlaylist(body, kind: kind)
        (entries, leftOut) = (list.entries, list.leftOut)
        letters = String(validating: body, as: UTF8.self) == nil ? Self.letters() : [:]
    }

    /// The path in the playlist's own bytes; nil if the playlist is UTF-8.
    func path(inOwnBytes place: FilePlaylist.Place) -> String? {
        guard !letters.isEmpty, case .path(let place) = place else { return nil }
        let bytes = place.unicodeScalars.compactMap { letters[$0] }
        guard bytes.count == place.unicodeScalars.count else { return nil }
        return path(of: PathText.text(of: bytes))
    }

    private static func letters() -> [Unicode.Scalar: UInt8] {
        Dictionary((UInt8.min ... .max).map { (Windows1252.scalar($0), $0) }) { first, _ in first }
    }

    /// The path of a file that the playlist names.
    func path(of place: String) -> String { place.hasPrefix("/") ? place : folder + place }

    private static func kind(of path: String) -> PlaylistKind? {
        let recognizer = StreamRecognizer(contentType: nil, url: path)
        guard let bytes = FileBytes.read(path, atMost: StreamRecognizer.limit) else { return nil }
        switch bytes.withUnsafeBytes({ recognizer.guess($0, isComplete: true) }) {
        case .playlist(let kind): return kind
        // Plain text with the extension of M3U is a list of names.
        case .text where endings.contains(where: { path.lowercased().hasSuffix($0) }): return .m3u
        default: return nil
        }
    }

    private static let endings = [".m3u", ".m3u8"]
}
