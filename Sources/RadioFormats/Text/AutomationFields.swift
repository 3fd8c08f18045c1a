// SPDX-License-Identifier: MIT

/// The fields that automation systems send in place of a title, or behind an artist:
/// `Artist - text="Title" song_spot="M" length="00:03:20"`, or `title="Title",artist="Artist",url="song_spot=…"`.
struct AutomationFields {
    /// The text before the first field.
    private let lead: String
    private let fields: [String: String]

    /// Reads fields; nil unless one of them is known from automation systems.
    init?(_ text: String) {
        guard text.utf8.contains(UInt8(ascii: "=")) else { return nil }
        let bytes = Array(text.utf8)
        var scanner = Scanner(bytes: bytes)
        guard let first = scanner.nextField() else { return nil }
        var fields = [first.name: first.value]
        while fields.count < Self.mostFields, let field = scanner.nextField() {
            fields[field.name] = fields[field.name] ?? field.value
        }
        guard
            fields.keys.contains(where: { Self.known.contains($0) })
                || fields["title"] != nil && fields["artist"] != nil
        else { return nil }
        let lead = TitleText.cleaned(String(decoding: bytes[..<first.place], as: UTF8.self))
        self.lead = String(lead.reversed().drop { " -–—,".contains($0) }.reversed())
        self.fields = fields
    }

    /// Reads fields without quotes, which commas separate: `title=Title,artist=Artist`. Nil unless the text begins with
    /// a title or an artist.
    init?(unquoted text: String) {
        let start = text.prefix(7).lowercased()
        guard start == "artist=" || start.hasPrefix("title=") else { return nil }
        let parts = text.split(separator: ",", maxSplits: Self.mostFields).map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return pair.map { TitleText.cleaned(String($0)) }
        }
        var fields: [String: String] = [:]
        var name = ""
        for part in parts {
            // A comma inside a value ends no field.
            if part.count == 2 { name = part[0].lowercased() }
            let value = part.last ?? ""
            fields[name] = part.count == 2 || fields[name] == nil ? value : "\(fields[name] ?? ""), \(value)"
        }
        (lead, self.fields) = ("", fields)
    }

    /// "Artist - Title", as far as both are known.
    var title: String {
        let artist = fields["artist"].flatMap { $0.isEmpty ? nil : $0 } ?? lead
        let title = [fields["title"], fields["text"]].compactMap { $0 }.first { !$0.isEmpty } ?? ""
        return [artist, title].filter { !$0.isEmpty }.joined(separator: " - ")
    }

    /// The address of the cover.
    var artwork: String? { fields["amgartworkurl"].flatMap { WebAddress.checked($0.utf8) } }

    /// Whether the fields describe an advert.
    ///
    /// Nobody documents the spots. Music is `M`; `F` (fill) is music or the station's own announcements; `T` (traffic,
    /// the department that sells time) is an advert, but also a jingle or a talk show. An advert has a number in one of
    /// two fields, and other spots say there that they have none.
    var isAdvert: Bool {
        if fields["adw_ad"] == "true" || fields["text"]?.lowercased().hasPrefix("spot block") == true { return true }
        guard let spot = fields["song_spot"], !["", "M", "F"].contains(spot.uppercased()) else { return false }
        guard let instance = fields["spotinstanceid"] else { return true }
        return ![instance, fields["cartcutid"] ?? ""].allSatisfy { ["", "0", "-1", "null"].contains($0) }
    }

    private static let mostFields = 64
    private static let known: Set<String> = [
        "song_spot", "spotinstanceid", "mediabaseid", "itunestrackid", "amgtrackid", "cartcutid", "tpid", "adw_ad",
    ]
}

extension AutomationFields {
    /// Finds fields `name="value"`. Each byte is read a few times at most.
    private struct Scanner {
        let bytes: [UInt8]
        private var place = 0

        private static let quote = UInt8(ascii: "\"")
        private static let longestName = 32

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// The next field. If its value begins with another field (`url="song_spot="M" …"`), that field is the next.
        mutating func nextField() -> (name: String, value: String, place: Int)? {
            while place < bytes.count {
                guard let (name, start) = Self.field(in: bytes, at: place) else {
                    place += 1
                    continue
                }
                let fieldPlace = place
                place = start
                if Self.field(in: bytes, at: start) != nil { continue }
                while place < bytes.count, !endsValue(at: place) { place += 1 }
                let value = bytes[start..<place].filter { $0 != UInt8(ascii: "\\") }
                place += 1
                return (name, TitleText.cleaned(String(decoding: value, as: UTF8.self)), fieldPlace)
            }
            return nil
        }

        /// Whether a quote ends the value: another field, another quote or the end follows.
        private func endsValue(at place: Int) -> Bool {
            guard bytes[place] == Self.quote else { return false }
            let next = bytes[(place + 1)...].prefix(4).firstIndex { !" ,;\"\\".utf8.contains($0) }
            guard let next else { return true }
            return next > place + 1 && Self.field(in: bytes, at: next) != nil
        }

        /// The name that begins at a place and the place of its value, if `name="` or `name=\"` stands there.
        private static func field(in bytes: [UInt8], at start: Int) -> (name: String, value: Int)? {
            guard start == 0 || !isName(bytes[start - 1]) else { return nil }
            var end = start
            while end < bytes.count, end - start <= longestName, isName(bytes[end]) { end += 1 }
            guard end > start, end + 1 < bytes.count, bytes[end] == UInt8(ascii: "=") else { return nil }
            let quoteAt = bytes[end + 1] == UInt8(ascii: "\\") ? end + 2 : end + 1
            guard quoteAt < bytes.count, bytes[quoteAt] == quote else { return nil }
            return (String(decoding: bytes[start..<end], as: UTF8.self).lowercased(), quoteAt + 1)
        }

        private static func isName(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "_") || byte.isLetter || byte.isDigit
        }
    }
}
