// SPDX-License-Identifier: MIT

import Configuration
import Glibc
import Stations
import TestTools
import Testing

@Suite("The example of a configuration")
struct ExampleTests {
    private let folder: TemporaryFolder
    private let service: ConfigurationContext

    init() throws {
        folder = try Example.folder()
        service = Example.context(folder)
    }

    @Test("The example as shipped is equal to an empty configuration")
    func unchanged() throws {
        #expect(try parse(Example.text()).get() == parse("").get())
    }

    @Test("The example with all settings uncommented is valid, has every key and shows the defaults")
    func complete() throws {
        let text = try Example.readable()
        let configuration = try parse(text, folder: folder.path, service).get()
        #expect(configuration.stations.count == 2 && configuration.hooks.count == 6)
        #expect(configuration.hooks.count { $0.token == "password" } == 2)
        #expect(configuration.stations.allSatisfy { $0.source.headers.contains { $0.name == "Authorization" } })

        let document = try TOMLDocument.parse(Array(Example.uncommented().utf8))
        check([document], .root)
    }

    /// Checks the keys of all tables of a section, and of its subsections.
    private func check(_ tables: [TOMLTable], _ section: ConfigurationSection) {
        for key in section.keys {
            let values = tables.compactMap { $0[key.name]?.value }
            #expect(!values.isEmpty, "\(section.header) has no \(key.name)")
            guard let standard = key.standard else { continue }
            let expected = try? TOMLDocument.parse(Array("x = \(standard)".utf8))
            for value in values {
                #expect(plain(value) == (expected?["x"]?.value).map(plain), "\(section.header) \(key.name)")
            }
        }
        for inner in section.sections {
            let found = tables.flatMap { table -> [TOMLTable] in
                switch table[inner.name]?.value {
                case .table(let table): [table]
                case .array(let nodes): nodes.compactMap { if case .table(let table) = $0.value { table } else { nil } }
                default: []
                }
            }
            #expect(!found.isEmpty, "there is no \(inner.header)")
            check(found, inner)
        }
    }

    /// A value without its position in the file.
    private func plain(_ value: TOMLNode.Value) -> String {
        guard case .array(let nodes) = value else { return "\(value)" }
        return "\(nodes.map { plain($0.value) })"
    }

    @Test("Every key of the schema is read, and a value of the wrong type is reported")
    func readKeys() {
        for section in ConfigurationSection.root.all {
            let starts = ["show": station(""), "change": station("[[station.show]]\nid = \"a\"\n")]
            let start = starts[section.name] ?? ""
            let header = section.path.isEmpty ? "" : section.header
            for key in section.keys {
                // No key takes a date with a time, so each key must report a fault.
                let found = faults("\(start)\(header)\n\(key.name) = 2026-12-24T07:00:00Z")
                #expect(found.contains { $0.key.hasSuffix(key.name) && $0.problem.contains("must") }, "\(key.name)")
            }
        }
    }

    @Test("The example value of every key in the schema is valid")
    func schema() throws {
        for section in ConfigurationSection.root.all {
            #expect(Set(section.names).count == section.names.count, "\(section.header)")
            for key in section.keys {
                #expect(key.about.hasSuffix(".") && key.name.allSatisfy { $0.isLowercase || $0 == "-" }, "\(key.name)")
                let text = "\(section.path.isEmpty ? "" : section.header)\n\(key.name) = \(key.example)"
                let isDate = [.date, .dates].contains(key.kind)
                guard readsDates || !isDate else { continue }
                // The faults of the key itself and of its value. Faults about other keys that are missing do not count.
                let own = faults(text, folder: folder.path, service).filter {
                    $0.line == 2 && !$0.problem.contains("there is no station")
                        && !["missing", "requires", "needs"].contains(where: $0.problem.contains)
                }
                #expect(own.isEmpty, "\(section.header) \(key.name): \(own)")
            }
        }
    }
}

/// The file `config.example.toml`, which people copy.
enum Example {
    /// A folder with the files that the example names.
    static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("aircheck-example")
        try folder.write("users", "me:$2y$05$abcdefghijklmnopqrstuuSAxVuYV6x0tLiVxMOPcVnXpnxnJYd2y\n")
        for name in ["radio-example.password", "radio-jazz", "hook.token", "ntfy-token"] {
            try folder.write(name, "password\n")
            chmod(folder.file(name), 0o600)
        }
        for name in ["hook.address", "hook-address"] {
            try folder.write(name, "https://example.org/hook\n")
            chmod(folder.file(name), 0o600)
        }
        return folder
    }

    /// A context with the credential that the example names.
    static func context(_ folder: TemporaryFolder) -> ConfigurationContext {
        ConfigurationContext(
            environment: ["CREDENTIALS_DIRECTORY": folder.path], userAgent: "Aircheck/test", zones: zones,
            events: events)
    }

    static func text() throws -> String {
        let path = "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
        return String(decoding: try bytes(ofFile: "\(path)/config.example.toml"), as: UTF8.self)
    }

    /// The example with all settings uncommented. In the file, a line of prose has a blank after its `#`, and a setting
    /// has none.
    static func uncommented() throws -> String {
        try text().split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let rest = line.dropFirst()
            let isSetting = line.hasPrefix("#") && rest.first.map { $0 == "[" || $0.isLowercase } == true
            return String(isSetting ? rest : line)
        }.joined(separator: "\n")
    }

    /// The uncommented example. Settings with dates are left out if dates cannot be read.
    static func readable() throws -> String {
        let text = try uncommented()
        return readsDates
            ? text
            : text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
                !["from =", "until =", "skip ="].contains { line.hasPrefix($0) }
            }.joined(separator: "\n")
    }
}
