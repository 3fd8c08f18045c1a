// SPDX-License-Identifier: MIT

/// Where a daemon's control socket is. Pure: the environment is an argument.
package enum ControlSocket {
    package static let name = "aircheck.sock"
    private static let systemFolder = "/run/aircheck"

    /// Where a daemon puts its socket: `$RUNTIME_DIRECTORY`, which service managers set, else the folder of the user's
    /// session, else the system's.
    package static func ownPath(_ environment: [String: String]) -> String {
        // The service manager may name several folders, separated by colons.
        if let folder = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first, folder.hasPrefix("/") {
            return "\(folder)/\(name)"
        }
        return candidates(environment)[0]
    }

    /// Where clients look for a daemon's socket; the most likely place first.
    package static func candidates(_ environment: [String: String]) -> [String] {
        var folders: [String] = []
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { folders.append("\(folder)/aircheck") }
        folders.append(systemFolder)
        return folders.map { "\($0)/\(name)" }
    }
}
