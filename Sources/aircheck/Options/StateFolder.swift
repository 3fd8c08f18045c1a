// SPDX-License-Identifier: MIT

/// The folder for what a program keeps between runs (XDG Base Directory Specification).
package enum StateFolder {
    /// `$XDG_STATE_HOME/aircheck`, else `~/.local/state/aircheck`; nil without a home. Relative paths in the
    /// environment are ignored, as the specification requires.
    package static func path(_ environment: [String: String]) -> String? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return below(state) }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return below(below(home, ".local/state"))
    }

    private static func below(_ folder: String, _ name: String = "aircheck") -> String {
        var folder = folder[...]
        while folder.hasSuffix("/") { folder = folder.dropLast() }
        return "\(folder)/\(name)"
    }
}
