// SPDX-License-Identifier: MIT

/// The title in the tags of a movie box, which iTunes introduced (`udta`, `meta`, `ilst`).
enum MP4Title {
    /// "Artist - Title", or the title alone; nil without a title.
    static func title(_ movie: MP4Fields) -> String? {
        // The first of four characters is ©, as Latin-1 has it: of its two bytes in UTF-8, the literal keeps the last.
        // Whatever is wrong with tags, the audio is not affected.
        guard var meta = try? movie.first("udta")?.first("meta"), (try? meta.skip(4)) != nil,
            let items = try? meta.first("ilst"), let title = text("\u{A9}nam", items)
        else { return nil }
        return text("\u{A9}ART", items).map { "\($0) - \(title)" } ?? title
    }

    private static func text(_ name: MP4BoxType, _ items: MP4Fields) -> String? {
        guard var data = try? items.first(name)?.first("data"), (try? data.skip(8)) != nil else { return nil }
        let text = String(decoding: data.rest.prefix(longest), as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    private static let longest = 4_096
}
