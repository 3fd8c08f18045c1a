// SPDX-License-Identifier: MIT

extension Playlist {
    /// Reads the references of a playlist in markup, without resolving them.
    ///
    /// It reads both XSPF and ASX, because their elements have different names: `<track>` with `<location>`, `<entry>`
    /// with `<ref href>` or an `href` of its own, and `<entryref href>`, which is another playlist. Both have
    /// `<title>`. SMIL and WPL have `<media src>` or `<audio src>`, QuickTime links `<embed src>`, and OPML has
    /// `<outline URL>`. An element that is never closed ends where the next one of its kind begins.
    struct MarkupReader {
        private(set) var references: [Entry] = []
        /// The base of relative addresses, if the playlist states one.
        private(set) var base: String?

        /// The addresses of the current track or entry.
        private var links: [String] = []
        private var title: String?
        private var length: Duration?
        private var options = EntryOptions()
        private var isInside = false
        /// The element whose text is being gathered, and the text.
        private var gathering: (name: String, text: String)?

        init(_ text: String) {
            var scanner = MarkupScanner(Array(text.utf8))
            while let token = scanner.next() {
                switch token {
                case .start(let name, let attributes): start(name, attributes)
                case .end(let name): end(name)
                case .text(let text): gathering?.text += text
                }
            }
            endGathering()
            endGroup()
        }

        private mutating func start(_ name: String, _ attributes: [String: String]) {
            endGathering()
            switch name {
            case "track", "entry":
                endGroup()
                isInside = true
                if let link = attributes["href"] { links.append(link) }
            case "title", "location", "option":
                // A location outside of all tracks is that of the playlist itself.
                if isInside { gathering = (name, "") }
            case "duration":
                guard isInside else { break }
                // ASX states the length in an attribute, XSPF in the element's text.
                if let value = attributes["value"] {
                    length = length ?? PlaylistLength.clock(trimmed(value[...])[...])
                } else {
                    gathering = (name, "")
                }
            case "ref":
                if let link = attributes["href"] { links.append(link) }
                if !isInside { endGroup() }
            case "entryref":
                endGroup()
                if let link = attributes["href"] { references.append(Entry(url: trimmed(link[...]))) }
            case "media", "audio", "embed": if let link = attributes["src"] { references.append(reference(link)) }
            case "outline":
                guard let link = attributes["url"], attributes["type"].map({ $0 != "rss" }) ?? true else { break }
                let title = attributes["text"].map { TitleText.repaired($0) }
                references.append(reference(trimmed(link[...]), title: title))
            case "base": base = attributes["href"] ?? base
            case "playlist": base = attributes["base"] ?? base
            default: break
            }
        }

        private mutating func end(_ name: String) {
            endGathering()
            guard name == "track" || name == "entry" else { return }
            endGroup()
            isInside = false
        }

        private mutating func endGathering() {
            guard let (name, text) = gathering else { return }
            gathering = nil
            switch name {
            case "title": title = title ?? TitleText.repaired(text)
            // VLC's extension of XSPF.
            case "option": options.add(option: trimmed(text[...]))
            case "duration": length = length ?? PlaylistLength.milliseconds(trimmed(text[...])[...])
            default: links.append(text)
            }
        }

        private mutating func endGroup() {
            let first = references.count
            for link in links {
                var entry = reference(trimmed(link[...]), title: title, length: length)
                entry.options.add(options)
                entry.mirrorOf = references.count > first ? first : nil
                references.append(entry)
            }
            links = []
            (title, length, options) = (nil, nil, EntryOptions())
        }
    }
}
