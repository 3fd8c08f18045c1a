// SPDX-License-Identifier: MIT

import Glibc
import Platform
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
        let bytes = FileReader.beginning(of: path, atMost: FilePlaylist.longestBody + 1) ?? []
        isCutOff = bytes.count > FilePlaylist.longestBody
        let body = Array(bytes.prefix(FilePlaylist.longestBody))
        let list = FilePlaylist(body, kind: kind, convert: SystemCharsets.convert)
        (entries, leftOut) = (list.entries, list.leftOut)
        letters = String(validating: body, as: UTF8.self) == nil ? Self.letters() : [:]
    }

    private static func letters() -> [Unicode.Scalar: UInt8] {
        Dictionary((UInt8.min ... .max).map { (Windows1252.scalar($0), $0) }) { first, _ in first }
    }

    /// The path of a file that the playlist names. The playlist may have been read as Windows-1252 although its own
    /// bytes are the name of the file.
    func path(of place: String) -> String {
        let path = whole(place)
        let bytes = place.unicodeScalars.compactMap { letters[$0] }
        guard bytes.count == place.unicodeScalars.count, Self.isMissing(path) else { return path }
        let own = whole(PathText.text(of: bytes))
        return Self.isMissing(own) ? path : own
    }

    private func whole(_ place: String) -> String { place.hasPrefix("/") ? place : folder + place }

    /// Whether there is certainly no such file.
    static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return stat(path.pathBytes, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
    }

    private static func kind(of path: String) -> PlaylistKind? {
        let recognizer = StreamRecognizer(contentType: nil, url: path)
        guard let bytes = FileReader.beginning(of: path, atMost: StreamRecognizer.limit) else { return nil }
        switch bytes.withUnsafeBytes({ recognizer.guess($0, isComplete: true) }) {
        case .playlist(let kind): return kind
        // Plain text with the extension of M3U is a list of names.
        case .text where endings.contains(where: { path.lowercased().hasSuffix($0) }): return .m3u
        default: return nil
        }
    }

    private static let endings = [".m3u", ".m3u8"]
}
