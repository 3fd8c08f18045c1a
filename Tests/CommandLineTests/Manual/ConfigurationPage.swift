// SPDX-License-Identifier: MIT

import Configuration

/// Makes the manual page of the configuration file from the keys that the program knows.
enum ConfigurationPage {
    static func make() throws -> ManualPage {
        let name = "aircheck.toml"
        return try ManualPage(
            name: name, number: 5,
            generated: [
                .init(title: "NAME", lines: ["\(name) \\- configuration of \\fBaircheck serve\\fR"]),
                .init(title: "DESCRIPTION", lines: []),
                .init(title: "KEYS", lines: ConfigurationSection.root.all.flatMap(lines)),
            ], related: ["aircheck(1)", "aircheck-serve(1)", "aircheck-check(1)", "aircheck-add(1)"])
    }

    private static func lines(of section: ConfigurationSection) -> [String] {
        let title = section.path.isEmpty ? "Above all tables" : section.header
        return [".SS \(Roff.argument(title))"]
            + section.keys.flatMap { [".TP", Roff.bold($0.name), Roff.text($0.about)] + value(of: $0) }
    }

    private static func value(of key: ConfigurationKey) -> [String] {
        let kind = key.kind.words
        let words = kind.prefix(1).uppercased() + kind.dropFirst()
        let value =
            key.standard.map { "Default: \(Roff.bold($0))." }
            ?? "\(key.isRequired ? "Required, such as" : "Such as") \(Roff.bold(key.example))."
        return [".br", Roff.text("\(words)."), value]
    }
}
