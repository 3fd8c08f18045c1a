// SPDX-License-Identifier: MIT

/// What the text of an `#EXTINF` line says about its segment: a title, or attributes such as `title="…",artist="…"`.
package struct SegmentTitle: Hashable, Sendable {
    /// "Artist - Title", cleaned and repaired as by ``TitleText``, with adverts marked; nil if the text names nothing.
    package var text: String?
    /// The address of a picture.
    package var artwork: String?
    /// Whether the segment is part of an advert.
    package var isAdvert = false

    /// Reads ``ListedSegment/info``.
    package init(info: String?) {
        let plain = HTMLText.plain((info ?? "").cut(toBytes: TitleText.longest))
        if let fields = AutomationFields(plain) ?? AutomationFields(unquoted: plain) {
            isAdvert = fields.isAdvert
            text = isAdvert ? TitleText.advert(fields.title) : TitleText.cleaned(fields.title)
            artwork = fields.artwork
        } else {
            text = TitleText.cleaned(Self.unquoted(plain))
        }
        if let title = text, title.isEmpty || Self.isFiller(title) { text = nil }
    }

    /// The text inside the quotes that a text begins with, without attributes behind them; else the text.
    private static func unquoted(_ text: String) -> String {
        guard text.hasPrefix("\""), let end = text.dropFirst().firstIndex(of: "\"") else { return text }
        return String(text[text.index(after: text.startIndex)..<end])
    }

    /// Whether a program wrote the text because it had no title: a remark, or the name of the segment's file.
    private static func isFiller(_ title: String) -> Bool {
        if ["no desc", "-", "_"].contains(title.lowercased()) { return true }
        let isName = !title.contains(" ")
        return isName && [".ts", ".aac", ".mp3", ".mp4", ".m4s", ".m4a"].contains { title.hasSuffix($0) }
    }
}
