// SPDX-License-Identifier: MIT

import RadioFormats

/// A file that an item of a feed refers to.
struct FeedEnclosure {
    var address: String
    var type: String?
    /// The kind of file that Media RSS states: `audio`, `video`, `image`, …
    var medium: String?
    var length: Duration?
    /// Whether the file is named by Media RSS, and not by the feed's own elements.
    var isFallback: Bool

    /// How likely the file is the one to play; 0 if it certainly is not.
    var rank: Int {
        let kind = (type?.prefix { $0 != "/" } ?? medium?[...] ?? "").lowercased()
        let own = isFallback ? 0 : 1
        switch kind {
        case "image": return 0
        // Some servers declare every unknown type as text, so the address decides.
        case "text" where !Self.hasAudioEnding(address): return 0
        case "audio": return 6 + own
        case "video": return 2 + own
        default: return Self.hasAudioEnding(address) ? 6 + own : 4 + own
        }
    }

    private static let endings: Set<String> = ["aac", "flac", "m4a", "mp2", "mp3", "oga", "ogg", "opus"]

    private static func hasAudioEnding(_ address: String) -> Bool {
        URLReference(address).pathExtension.map { endings.contains($0) } ?? false
    }
}
