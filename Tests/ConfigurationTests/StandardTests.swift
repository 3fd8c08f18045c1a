// SPDX-License-Identifier: MIT

import Configuration
import Testing

/// The defaults that the schema and the example promise are those that apply without the key.
struct StandardTests {
    struct Standard: CustomTestStringConvertible, Sendable {
        var section: String
        var line: String

        var testDescription: String { "[\(section)] \(line)" }
    }

    /// All keys whose default can be written.
    private static let standards = ConfigurationSection.root.all.flatMap { section in
        section.keys.compactMap { key in
            key.standard.map { Standard(section: section.path, line: "\(key.name) = \($0)") }
        }
    }

    /// The least that each table needs, in an order in which all of them may stand in one file.
    private static let tables: KeyValuePairs = [
        "": "",
        "server": "[server]",
        "storage": "[storage]",
        "station": station(""),
        "station.show": "[[station.show]]\nid = \"jazz\"\ndays = \"mon-fri\"\nstart = \"19:00\"\nlength = \"1h\"",
        "hook": "[[hook]]\non = \"gap\"\nrun = [\"/usr/bin/true\"]",
        "player": "[player]",
        "log": "[log]",
    ]

    /// Reads a file with all tables, one of which has the line of `standard` if there is one.
    private static func configuration(with standard: Standard? = nil) throws -> Configuration {
        let lines = tables.flatMap { path, table in
            [table] + (standard.flatMap { $0.section == path ? [$0.line] : nil } ?? [])
        }
        var configuration = try parse(lines.joined(separator: "\n")).get()
        // Who writes the default address wants it beside the sockets of the service manager, too.
        configuration.server.listensByDefault = true
        return configuration
    }

    @Test func `there is a table for each section`() {
        #expect(Set(Self.tables.map(\.key)) == Set(ConfigurationSection.root.all.map(\.path)))
        #expect(Self.standards.count > 15)
    }

    @Test(arguments: Self.standards)
    func `a key with its default changes nothing`(_ standard: Standard) throws {
        #expect(try Self.configuration(with: standard) == Self.configuration())
    }
}
