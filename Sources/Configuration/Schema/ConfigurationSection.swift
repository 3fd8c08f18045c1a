// SPDX-License-Identifier: MIT

/// A table of the configuration file, with all the keys that it may have.
package struct ConfigurationSection: Hashable, Sendable {
    /// The dotted name as in the table's header: `station.show`; empty for the top of the file.
    package var path: String
    /// Whether the header has two brackets, so that the table may occur several times.
    package var isList: Bool
    package var keys: [ConfigurationKey]
    package var sections: [ConfigurationSection] = []

    /// The last part of the path.
    package var name: String { path.split(separator: ".").last.map(String.init) ?? "" }

    /// The header as it is written.
    package var header: String { isList ? "[[\(path)]]" : "[\(path)]" }

    /// The names of all keys and tables that are allowed in the table.
    package var names: [String] { keys.map(\.name) + sections.map(\.name) }

    /// This section, and all sections within it.
    package var all: [ConfigurationSection] { [self] + sections.flatMap(\.all) }

    /// The whole file.
    package static let root = ConfigurationSection(
        path: "", isList: false, keys: RootKey.all,
        sections: [
            ConfigurationSection(path: "server", isList: false, keys: ServerKey.all),
            ConfigurationSection(path: "storage", isList: false, keys: StorageKey.all),
            ConfigurationSection(
                path: "station", isList: true, keys: StationKey.all,
                sections: [
                    ConfigurationSection(
                        path: "station.show", isList: true, keys: ShowKey.all,
                        sections: [ConfigurationSection(path: "station.show.change", isList: true, keys: ChangeKey.all)]
                    )
                ]),
            ConfigurationSection(path: "hook", isList: true, keys: HookKey.all),
            ConfigurationSection(path: "player", isList: false, keys: PlayerKey.all),
        ] + Configuration.tables.map { $0.section })
}
