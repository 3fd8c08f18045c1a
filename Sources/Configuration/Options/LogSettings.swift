// SPDX-License-Identifier: MIT

/// What is logged, and how: `[log]`.
package struct LogSettings: Hashable, Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case text, json
    }

    package enum Level: String, Hashable, Sendable, CaseIterable {
        case debug, info, notice, warning, error
    }

    package var format = Format.text
    package var level = Level.info

    package init() {}
}

extension Configuration {
    package var log: LogSettings { self[LogSettings.self] }
}

extension LogSettings: ConfigurationTable {
    private static let formatKey = ConfigurationKey.standard("format", .text, "\"text\"", "\"text\" or \"json\".")
    private static let levelKey = ConfigurationKey.standard(
        "level", .text, "\"info\"", "The least important messages that are written.")

    static let section = ConfigurationSection(path: "log", isList: false, keys: [formatKey, levelKey])

    init(_ table: TableReader, in reader: ConfigurationReader) {
        format = table.choice(Self.formatKey, Format.self) ?? format
        level = table.choice(Self.levelKey, Level.self) ?? level
    }
}
