// SPDX-License-Identifier: MIT

/// Chooses the configuration file.
package enum ConfigurationPath {
    /// The system-wide file.
    package static let system = "/etc/aircheck/config.toml"

    /// The file that the user named; otherwise `$XDG_CONFIG_HOME/aircheck/config.toml` or
    /// `~/.config/aircheck/config.toml` if that file exists; otherwise the system-wide file, whether it exists or not.
    /// Relative paths in the environment are ignored, as the XDG Base Directory Specification requires.
    package static func choose(
        option: String?, environment: [String: String], exists: (String) -> Bool
    ) -> String {
        if let option { return option }
        if let own = own(environment), exists(own) { return own }
        return system
    }

    /// The file to add to: the file that ``choose(option:environment:exists:)`` finds, if it exists. Otherwise the
    /// user's own file, or for root the system-wide file.
    package static func chooseToWrite(
        option: String?, environment: [String: String], isRoot: Bool, exists: (String) -> Bool
    ) -> String {
        let found = choose(option: option, environment: environment, exists: exists)
        guard option == nil, !isRoot, !exists(found) else { return found }
        return own(environment) ?? found
    }

    /// The user's own file, which need not exist; nil without a home folder.
    package static func own(_ environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return path(in: folder) }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return path(in: "\(home)/.config")
    }

    private static func path(in folder: String) -> String {
        let folder = ConfiguredPath.folder(of: "\(folder)/x")
        return folder == "/" ? "/aircheck/config.toml" : "\(folder)/aircheck/config.toml"
    }
}
