// SPDX-License-Identifier: MIT

import RadioCore

/// Says what an unknown key may have been meant to be.
enum UnknownKey {
    /// The nearest key of the section, or the section that the key belongs in; nil if nothing comes near.
    static func remedy(_ key: String, in section: ConfigurationSection) -> String? {
        if let nearest = NearestWord.nearest(to: key, in: section.names) { return question(nearest, in: section) }
        let homes = ConfigurationSection.root.all.filter { $0.names.contains(key) }
        guard let home = homes.first else { return nil }
        let headers = homes.map { $0.path.isEmpty ? "the top of the file" : $0.header }
        // A table of the top level has been written within another one.
        guard home.keys.contains(where: { $0.name == key }) else {
            return home.sections.first { $0.name == key }.map { "begin it with \($0.header)" }
        }
        return "it belongs in \(headers.joined(separator: " or "))"
    }

    private static func question(_ name: String, in section: ConfigurationSection) -> String {
        let table = section.sections.first { $0.name == name }
        return "did you mean \(table?.header ?? name)?"
    }
}
