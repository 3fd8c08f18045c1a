// SPDX-License-Identifier: MIT

import RadioFormats

/// What an item of a feed says of one file that belongs to it.
struct FeedEnclosure {
    var address: String
    var type: String?
    /// Media RSS: `audio`, `video`, `image`, …
    var medium: String?
    var bytes: Int64?
    var length: Duration?
    /// Not the feed's own way of naming what is to be played.
    var isFallback: Bool

    /// The higher, the more likely it is what is to be heard; 0 where it is certainly not.
    var rank: Int {
        let kind = (type?.prefix { $0 != "/" } ?? medium?[...] ?? "").lowercased()
        let own = isFallback ? 0 : 1
        switch kind {
        case "image": return 0
        // Some servers call everything text that they do not know.
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
