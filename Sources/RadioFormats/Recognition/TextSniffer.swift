// SPDX-License-Identifier: MIT

/// Tells HTML, JSON, XML and playlists from audio, by the beginning of a readable body.
package struct TextSniffer<Bytes: IndexedBytes> {
    private let bytes: Bytes
    /// The start of the text, after a byte order mark and blanks.
    private let start: Int
    private let isLast: Bool

    /// Examines the beginning of a body. `isLast`: whether no more bytes will be examined.
    package init(_ bytes: Bytes, isLast: Bool) {
        self.bytes = bytes
        self.isLast = isLast
        var rest = bytes[...]
        while rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
        start = rest.firstIndex { !isBlank($0) } ?? bytes.endIndex
    }

    /// The kind of a text that begins with a known signature; nil if the text has no known signature, or is too short
    /// to decide.
    package func marked() -> ContentGuess? {
        guard start < bytes.endIndex else { return nil }
        let line = firstLine
        // Such a long signature is not there by chance, and a title in an old charset may have any bytes.
        if let line {
            if has("#extm3u", at: line) { return list(from: line) }
            if has("[playlist]", at: line) || has("[internetshortcut]", at: line) { return .playlist(.pls) }
            if has("[reference]", at: line) { return .playlist(.asx) }
        }
        // The rest of an audio frame may begin with any bytes, even with one of the signatures below. So the body is
        // not taken for text if one of the first bytes never occurs in text.
        guard bytes.prefix(ContentSniffer.leastBytes).allSatisfy(isReadable) else { return nil }
        if bytes[start] == UInt8(ascii: "<") { return markup }
        guard let line else { return nil }
        if NumberedKey.begins(bytes[line...]) { return .playlist(.pls) }
        return Self.listMarks.contains { has($0, at: line) } ? list(from: line) : nil
    }

    private static var listMarks: [StaticString] { ["#ext", "http://", "https://", "icy://"] }

    /// The place of the first line that is neither empty nor a comment; nil if the bytes end before.
    private var firstLine: Int? {
        var place = start
        while place < bytes.endIndex {
            let isComment =
                bytes[place] == UInt8(ascii: ";") || bytes[place] == UInt8(ascii: "#") && !has("#ext", at: place)
            guard isComment else { return place }
            guard let end = bytes[place...].firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
            else { return nil }
            place = bytes[end...].firstIndex { !isBlank($0) } ?? bytes.endIndex
        }
        return nil
    }

    /// The kind of a text without a known signature; nil unless all bytes are readable, which never happens with audio.
    ///
    /// Call it last: audio may follow a text, such as a warning of the script that sends the audio.
    package func unmarked() -> ContentGuess? {
        guard !bytes.isEmpty, bytes.allSatisfy(isReadable) else { return nil }
        guard start < bytes.endIndex else { return .text }
        return switch bytes[start] {
        case UInt8(ascii: "<"): .xml
        case UInt8(ascii: "{"), UInt8(ascii: "["): isJSON ? .json : .text
        default: .text
        }
    }

    // MARK: - Kinds

    private var markup: ContentGuess? {
        if has("<!doctype html", at: start) { return .html }
        return switch firstElement {
        case "html", "head", "body", "script": .html
        case "playlist": .playlist(.xspf)
        case "asx": .playlist(.asx)
        case "smil", "opml", "embed": .playlist(.markup)
        case "rss", "feed": .unsupported(ContentHint.feed)
        default: nil
        }
    }

    /// The name of the first element after declarations and comments, in lower case and without a prefix; nil if the
    /// bytes end before the end of that name.
    private var firstElement: String? {
        var place = start
        while let tag = find("<", from: place) {
            let isComment = has("<!--", at: tag)
            if isComment || has("<!", at: tag) || has("<?", at: tag) {
                guard let end = find(isComment ? "-->" : ">", from: tag) else { return nil }
                place = end
                continue
            }
            let name = bytes[(tag + 1)...].prefix { !isBlank($0) && !">/<".utf8.contains($0) }
            guard name.endIndex < bytes.endIndex || isLast else { return nil }
            let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name[...]
            return String(decoding: local, as: UTF8.self).lowercased()
        }
        return nil
    }

    /// The kind of a list of addresses. A tag of HLS may stand anywhere in it.
    private func list(from start: Int) -> ContentGuess? {
        var place = start
        while place < bytes.endIndex {
            if has("#ext-x-", at: place), HLSMark.tags.contains(where: { has($0, at: place + 7) }) { return .hls }
            guard let end = bytes[place...].firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
            else { break }
            place = end + 1
        }
        return isLast ? .playlist(.m3u) : nil
    }

    /// Whether the opening bracket is followed by a value or by a member's name.
    private var isJSON: Bool {
        guard let next = bytes[(start + 1)...].first(where: { !isBlank($0) }) else { return false }
        return "\"{[}]-0123456789tfn".utf8.contains(next)
    }

    // MARK: - Marks

    /// Whether `mark` stands at `place`, ignoring case.
    private func has(_ mark: StaticString, at place: Int) -> Bool {
        mark.withUTF8Buffer { mark in
            mark.count <= bytes.endIndex - place
                && mark.indices.allSatisfy { bytes[place + $0].lowercased == mark[$0] }
        }
    }

    private func find(_ mark: StaticString, from place: Int) -> Int? {
        (place..<max(place, bytes.endIndex)).first { has(mark, at: $0) }
    }
}

private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
}

/// Whether a byte may belong to text in some charset: it is no control character other than white space. The byte that
/// begins a frame (0xFF) is a letter in most of them, such as я in Windows-1251.
private func isReadable(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x09, 0x0e..<0x20, 0x7f: false
    default: true
    }
}
