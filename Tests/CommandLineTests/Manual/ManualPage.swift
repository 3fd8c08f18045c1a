// SPDX-License-Identifier: MIT

@testable import aircheck

/// A manual page. Its sections, generated or written by hand, have the order of man-pages(7).
struct ManualPage {
    struct Section {
        var title: String
        var lines: [String]
    }

    let name: String
    /// The section of the manual: 1 for commands, 5 for files.
    let number: Int
    private var sections: [Section]
    private var related: Set<String>

    /// Adds the sections written by hand for the page. Each replaces a generated section of the same title, except that
    /// DESCRIPTION and SEE ALSO add to the generated ones. `related`: other pages, such as `aircheck(1)`.
    init(name: String, number: Int, generated: [Section], related: [String]) throws {
        self.name = name
        self.number = number
        self.related = Set(related)
        sections = generated
        for section in try Self.written(for: name) {
            let index = sections.firstIndex { $0.title == section.title }
            switch (section.title, index) {
            case ("SEE ALSO", _):
                self.related.formUnion(section.lines.flatMap { $0.split { ", ".contains($0) } }.map(String.init))
            case ("DESCRIPTION", let index?):
                sections[index].lines += (sections[index].lines.isEmpty ? [] : [".PP"]) + section.lines
            case (_, let index?): sections[index] = section
            case (_, nil): sections.append(section)
            }
        }
    }

    var fileName: String { "\(name).\(number)" }

    /// The whole page. Like the pages of systemd, it has no date: a date would change although the page does not.
    var text: String {
        var lines = [
            ".\\\" SPDX-License-Identifier: MIT",
            ".\\\" Made from the help of the program and deploy/man/sections/\(name).man: docs/changing.md says how.",
            ".TH \(Roff.argument(name.uppercased())) \(number) \"\" \(Roff.argument("Aircheck \(Version.string)")) "
                + Roff.argument("Manual of Aircheck"),
            // Text is neither hyphenated nor justified, as is usual today.
            ".nh", ".ad l",
        ]
        for section in ordered {
            lines += [".SH \(Roff.argument(section.title))"] + section.lines
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var titles: [String] { ordered.map(\.title) }

    /// The titles of the sections that man-pages(7) places first and last. Sections that only some pages have are
    /// between them.
    private static let first = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS"]
    private static let last = ["EXIT STATUS", "ENVIRONMENT", "FILES", "NOTES", "EXAMPLES"]

    private var ordered: [Section] {
        func rank(_ title: String) -> Int {
            if let index = Self.first.firstIndex(of: title) { return index }
            return Self.first.count + 1 + (Self.last.firstIndex(of: title) ?? -1)
        }
        let ranked = sections.enumerated().sorted {
            (rank($0.element.title), $0.offset) < (rank($1.element.title), $1.offset)
        }
        let pages = related.subtracting(["\(name)(\(number))"]).sorted()
        let references = pages.map { page in
            let parts = page.split(separator: "(")
            return ".BR \(Roff.escaped(parts[0], isLiteral: true)) (\(parts[1])" + (page == pages.last ? "" : ",")
        }
        return ranked.map(\.element) + [Section(title: "SEE ALSO", lines: references)]
    }

    /// The sections that are written by hand: none if there is no file.
    private static func written(for name: String) throws -> [Section] {
        guard let text = ManualFolder.text("sections/\(name).man") else { return [] }
        var sections: [Section] = []
        for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix(".\\\"") {
            if line.hasPrefix(".SH ") {
                sections.append(Section(title: String(line.dropFirst(4)), lines: []))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            }
        }
        return sections
    }
}
