// SPDX-License-Identifier: MIT

import RadioFormats

/// A playlist of the disk. To read it blocks.
struct PlaylistFile {
    let entries: [FilePlaylist.Entry]
    /// How many more there are.
    let leftOut: Int
    /// Whether it is longer than what was read of it.
    let isCutOff: Bool
    /// Of the playlist, with its slash; empty for the one of the process.
    let folder: String
    /// The bytes of its letters; empty where those are UTF-8.
    private let letters: [Unicode.Scalar: UInt8]

    /// Nil where the file is none: its first bytes tell, and where they do not, its name.
    init?(_ path: String) {
        guard let kind = Self.kind(of: path) else { return nil }
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let bytes = Self.bytes(of: path, atMost: FilePlaylist.longestBody + 1) ?? []
        isCutOff = bytes.count > FilePlaylist.longestBody
        let body = Array(bytes.prefix(FilePlaylist.longestBody))
        let list = FilePlaylist(body, kind: kind)
        (entries, leftOut) = (list.entries, list.leftOut)
        letters = String(validating: body, as: UTF8.self) == nil ? Self.letters() : [:]
    }

    /// The path as the playlist has it, in bytes and a zero; nil where that is no other than the text's.
    func bytes(of place: FilePlaylist.Place) -> [CChar]? {
        guard !letters.isEmpty, case .path(let place) = place else { return nil }
        let bytes = place.unicodeScalars.compactMap { letters[$0] }
        guard bytes.count == place.unicodeScalars.count else { return nil }
        let all = (place.hasPrefix("/") ? [] : Array(folder.utf8)) + bytes + [0]
        return all.map { CChar(bitPattern: $0) }
    }

    private static func letters() -> [Unicode.Scalar: UInt8] {
        let all = (UInt8.min ... .max).flatMap { byte in
            Charset.windows1252.decode([byte]).unicodeScalars.map { ($0, byte) }
        }
        return Dictionary(all) { first, _ in first }
    }

    /// The path of a file that the playlist names.
    func path(of place: String) -> String { place.hasPrefix("/") ? place : folder + place }

    private static func kind(of path: String) -> PlaylistKind? {
        let recognizer = StreamRecognizer(contentType: nil, url: path)
        guard let bytes = bytes(of: path, atMost: StreamRecognizer.limit) else { return nil }
        switch bytes.withUnsafeBytes({ recognizer.guess($0, isComplete: true) }) {
        case .playlist(let kind): return kind
        // A list of names, each as if it were one of an album.
        case .text where endings.contains(where: { path.lowercased().hasSuffix($0) }): return .m3u
        default: return nil
        }
    }

    private static let endings = [".m3u", ".m3u8"]

    private static func bytes(of path: String, atMost limit: Int) -> [UInt8]? {
        guard let reader = try? FileReader(path) else { return nil }
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let hasMore = try? reader.read(min(64 << 10, limit - bytes.count)) { bytes.append(contentsOf: $0) }
            guard hasMore == true else { break }
        }
        return bytes
    }
}
