// SPDX-License-Identifier: MIT

import Configuration
import Testing

/// The defaults in the schema and the example are the values that apply when the key is missing.
struct StandardTests {
    struct Standard: CustomTestStringConvertible, Sendable {
        var section: String
        var line: String

        var testDescription: String { "[\(section)] \(line)" }
    }

    /// A line for each key whose default can be written in the file.
    private static let standards = ConfigurationSection.root.all.flatMap { section in
        section.keys.compactMap { key in
            key.standard.map { Standard(section: section.path, line: "\(key.name) = \($0)") }
        }
    }

    /// The fewest lines that each table needs, in an order that is valid in one file.
    private static let tables: KeyValuePairs = [
        "": "",
        "server": "[server]",
        "storage": "[storage]",
        "station": station(""),
        "station.show": "[[station.show]]\nid = \"jazz\"\ndays = \"mon-fri\"\nstart = \"19:00\"\nlength = \"1h\"",
        "station.show.change": "[[station.show.change]]\ndate = 2026-12-24\nstart = \"09:00\"",
        "hook": "[[hook]]\non = \"gap\"\nrun = [\"/usr/bin/true\"]",
        "player": "[player]",
        "log": "[log]",
    ]

    /// Reads a file with all tables. The line of `standard` is added to the table to which it belongs.
    private static func configuration(with standard: Standard? = nil) throws -> Configuration {
        let lines = tables.flatMap { path, table in
            [table] + (standard.flatMap { $0.section == path ? [$0.line] : nil } ?? [])
        }
        var configuration = try parse(lines.joined(separator: "\n")).get()
        // An address that is written out applies beside the service manager's sockets, even if it is the default. This
        // difference is intended, so it is not compared.
        configuration.server.listensByDefault = true
        return configuration
    }

    @Test("The test has a table for each section of the schema") func tableForEachSection() {
        #expect(Set(Self.tables.map(\.key)) == Set(ConfigurationSection.root.all.map(\.path)))
        #expect(Self.standards.count > 15)
    }

    @Test("A key that is written with its default changes nothing", arguments: Self.standards)
    func writtenDefault(_ standard: Standard) throws {
        #expect(try Self.configuration(with: standard) == Self.configuration())
    }
}
