// SPDX-License-Identifier: MIT

import RadioCore

/// Suggests what an unknown key was meant to be.
enum UnknownKey {
    /// Suggests the most similar key of the section, or else the section to which the key belongs; nil if there is
    /// neither.
    static func remedy(_ key: String, in section: ConfigurationSection) -> String? {
        if let nearest = NearestWord.nearest(to: key, in: section.names) { return question(nearest, in: section) }
        let homes = ConfigurationSection.root.all.filter { $0.names.contains(key) }
        guard let home = homes.first else { return nil }
        let headers = homes.map { $0.path.isEmpty ? "the top of the file" : $0.header }
        // The key is the name of a table that was written inside another table.
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
