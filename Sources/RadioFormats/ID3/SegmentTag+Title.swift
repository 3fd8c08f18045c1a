// SPDX-License-Identifier: MIT

extension SegmentTag {
    /// The names under which stations state title and artist in texts of their own.
    private static let titleNames = [
        ("title", "artist"), ("cue_title", "track_artist_name"), ("tit2", "tpe1"), ("song", "artist"),
    ]

    /// The title that people should see, as "Artist - Title"; nil if the tag has none.
    ///
    /// It is in the frames for it (`TIT2`, `TPE1`), in `StreamTitle` or a pair of texts under names of the station's
    /// own (`TXXX`), or in a text that is a JSON object with such names.
    package var title: String? {
        if let title = texts.title, let object = Self.object(title) { return Self.title(in: object) }
        if let title = texts.streamTitle.flatMap(Self.shown) { return title }
        var named: [String: String] = [:]
        for case .userText(let name, let value) in texts.frames { named[name.lowercased()] = value }
        if let title = named["streamtitle"].flatMap(Self.shown) { return title }
        if let title = Self.title(under: { named[$0] }) { return title }
        for case .userText(_, let value) in texts.frames {
            if let title = Self.object(value).flatMap(Self.title(in:)) { return title }
            if AutomationFields(value) != nil, let title = Self.shown(value) { return title }
        }
        return nil
    }

    private static func title(in object: JSONValue) -> String? {
        title(under: { object[$0]?.stringValue })
    }

    /// The title under the first pair of names for which `value` gives one.
    private static func title(under value: (String) -> String?) -> String? {
        for (title, artist) in titleNames {
            guard let title = value(title), !title.isEmpty else { continue }
            let artist = value(artist) ?? ""
            return shown(artist.isEmpty ? title : "\(artist) - \(title)")
        }
        return nil
    }

    private static func object(_ text: String) -> JSONValue? {
        guard text.utf8.first == UInt8(ascii: "{") else { return nil }
        return try? JSONValue(parsing: Array(text.utf8), limit: TitleText.longest)
    }

    private static func shown(_ text: String) -> String? {
        let title = TitleText.repaired(text)
        return title.isEmpty ? nil : title
    }
}
