// SPDX-License-Identifier: MIT

/// Where a program keeps what it wants to know the next time (XDG Base Directory Specification).
package enum StateFolder {
    /// `$XDG_STATE_HOME/aircheck`, else `~/.local/state/aircheck`; nil where there is no home. A relative path in the
    /// environment counts as none, as the specification says.
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
