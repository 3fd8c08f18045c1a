// SPDX-License-Identifier: MIT

import RadioFormats

/// Checks parsers of documents that are parsed as a whole.
enum TextChecks {
    /// Checks that a parsed tag can be written, and that the result can be parsed again.
    static func tag(_ bytes: [UInt8]) -> String? {
        if let complaint = complaint(TextCost.tag(bytes)) { return complaint }
        guard let tag = ID3v2Tag(parsing: bytes) else { return nil }
        _ = tag.streamTitle.map(TitleText.cleaned)
        let written = tag.encoded(size: 1 << 16)
        if written.count != 1 << 16 { return "a tag of \(written.count) bytes" }
        return ID3v2Tag(parsing: written) == nil ? "a tag that cannot be read back" : nil
    }

    /// Checks that playlists of every kind yield only web addresses, and not too many.
    static func playlist(_ bytes: [UInt8]) -> String? {
        if let complaint = complaint(TextCost.markup(bytes)) { return complaint }
        for kind in PlaylistKind.allCases {
            guard let list = try? Playlist(bytes, kind: kind, base: "http://radio.example/live/list") else { continue }
            if list.entries.isEmpty || list.entries.count > Playlist.mostEntries {
                return "\(list.entries.count) entries"
            }
            for entry in list.entries {
                if !URLReference(entry.url).isWebAddress { return "no address of the web: \(entry.url)" }
                if entry.url.utf8.count > Playlist.longestURL { return "an address of \(entry.url.utf8.count) bytes" }
                if let title = entry.title, TitleText.cleaned(title) != title { return "a title that is not clean" }
            }
        }
        return nil
    }

    /// Checks that a parsed value, written in either style, parses to the same value again.
    static func json(_ bytes: [UInt8]) -> String? {
        if let complaint = complaint(TextCost.json(bytes)) { return complaint }
        guard let value = try? JSONValue(parsing: bytes, limit: 1 << 20) else { return nil }
        for style in [JSONStyle.compact, .pretty] {
            let text = value.encoded(style)
            guard let again = try? JSONValue(parsing: text, limit: 1 << 26) else {
                return "unreadable: \(value.text())"
            }
            if again != value { return "\(again.text()) instead of \(value.text())" }
            let isClean = text.allSatisfy { $0 >= 0x20 || (style == .pretty && $0 == 0x0A) }
            if !isClean { return "a control character in \(value.text())" }
        }
        return nil
    }

    /// Checks that recognition always gives a final answer, and that this answer does not depend on how the body is
    /// split.
    static func recognition(_ bytes: [UInt8]) -> String? {
        if let complaint = complaint(
            TextCost.recognition(Array(bytes.prefix(StreamRecognizer.limit))), most: TextCost.mostOfRecognition)
        {
            return complaint
        }
        for type in [nil, "audio/mpeg", "text/html", "application/ogg", "audio/x-mpegurl"] {
            let recognizer = StreamRecognizer(contentType: type, url: "http://radio.example/live")
            let whole = bytes.withUnsafeBytes { recognizer.guess($0, isComplete: true) }
            if whole == .undecided { return "nothing is known at the end" }
            let split = answer(of: recognizer, to: InputSplit.pieces(of: bytes))
            if split != whole { return "\(whole), but \(split) in pieces" }
        }
        return nil
    }

    private static func answer(of recognizer: StreamRecognizer, to pieces: [ArraySlice<UInt8>]) -> ContentGuess {
        var recognizer = recognizer
        var prefix: [UInt8] = []
        for piece in pieces {
            prefix += piece
            let guess = prefix.withUnsafeBytes { recognizer.look(at: $0) }
            if guess != .undecided { return guess }
        }
        return prefix.withUnsafeBytes { recognizer.look(at: $0, isComplete: true) }
    }

    private static func complaint(_ cost: Double, most: Double = TextCost.most) -> String? {
        cost > most ? "\(cost) looks at each byte" : nil
    }
}
