// SPDX-License-Identifier: MIT

/// Tells HTML, JSON, XML and playlists from audio, by how a body that can be read begins.
struct TextSniffer {
    /// The text without byte order mark and the blanks in front.
    private let text: Substring.UTF8View
    private let isReadable: Bool
    /// To the end of what there is, not only at its beginning.
    private let isReadableThroughout: Bool
    private let isLast: Bool

    init(bytes: UnsafeRawBufferPointer, isLast: Bool) {
        // The same few bytes for every length of the prefix, so that an answer does not change.
        isReadable = !bytes.isEmpty && bytes.prefix(ContentSniffer.leastBytes).allSatisfy(Self.isReadable)
        isReadableThroughout = isReadable && bytes.allSatisfy(Self.isReadable)
        self.isLast = isLast
        let withoutMark = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        let first = withoutMark.firstIndex { !Self.isBlank($0) } ?? withoutMark.endIndex
        text = Substring(String(decoding: withoutMark[first...], as: UTF8.self)).utf8
    }

    /// Nil where the bytes are not text, or not enough of it to say of which kind.
    func guess() -> ContentGuess? {
        // One byte that no text has is enough: the rest of an audio frame may begin like anything.
        guard isReadable else { return nil }
        let plain: ContentGuess? = isLast && isReadableThroughout ? .text : nil
        guard let first = text.first else { return plain }
        let guess: ContentGuess? =
            switch first {
            case UInt8(ascii: "<"): markup
            case UInt8(ascii: "#"): begins("#extm3u") ? list : nil
            case UInt8(ascii: "["):
                begins("[playlist]") ? .playlist(.pls) : begins("[reference]") ? .playlist(.asx) : json
            case UInt8(ascii: "{"): json
            default: begins("http://") || begins("https://") ? list : nil
            }
        return guess ?? plain
    }

    private var markup: ContentGuess? {
        if begins("<!doctype html") { return .html }
        return switch firstElement {
        case "html", "head", "body", "script": .html
        case "playlist": .playlist(.xspf)
        case "asx": .playlist(.asx)
        case "rss", "feed": .unsupported(ContentHint.feed)
        default: isLast ? .xml : nil
        }
    }

    /// The name of the first element behind declarations and comments, in lower case and without a prefix; nil where
    /// it is not there as a whole.
    private var firstElement: String? {
        var rest = text
        while let tag = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[tag...]
            let isComment = Self.begins(rest, "<!--")
            guard isComment || Self.begins(rest, "<!") || Self.begins(rest, "<?") else { break }
            guard let end = isComment ? Self.endOfComment(rest) : rest.firstIndex(of: UInt8(ascii: ">")) else {
                return nil
            }
            rest = rest[end...]
        }
        let name = rest.dropFirst().prefix { !Self.isBlank($0) && !">/<".utf8.contains($0) }
        guard name.endIndex < text.endIndex || isLast else { return nil }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[name.index(after: $0)...] } ?? name
        return String(Substring(local)).lowercased()
    }

    private static func endOfComment(_ text: Substring.UTF8View) -> String.Index? {
        text.indices.first { text[$0] == UInt8(ascii: "-") && begins(text[$0...], "-->") }
    }

    /// A list of addresses. HLS has its marks in front of the first address.
    private var list: ContentGuess? {
        for line in text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            if line.starts(with: "#EXT-X-".utf8) { return .hls }
            // A line that may go on says nothing yet.
            guard line.endIndex < text.endIndex || isLast else { break }
            if line.first != UInt8(ascii: "#") { return .playlist(.m3u) }
        }
        return isLast ? .playlist(.m3u) : nil
    }

    private var json: ContentGuess? {
        guard let next = text.dropFirst().first(where: { !Self.isBlank($0) }) else { return nil }
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"),
            UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"),
            UInt8(ascii: "n"):
            return .json
        default: return nil
        }
    }

    private func begins(_ mark: String) -> Bool {
        Self.begins(text, mark)
    }

    private static func begins(_ text: Substring.UTF8View, _ mark: String) -> Bool {
        text.prefix(mark.utf8.count).map(lowercased) == Array(mark.utf8)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0d).contains(byte)
    }

    /// Bytes of UTF-8 and Latin-1 text: no control characters but those of lines, and none that begins a frame.
    private static func isReadable(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x09, 0x0e..<0x20, 0x7f, 0xff: false
        default: true
        }
    }
}
