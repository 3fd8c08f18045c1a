// SPDX-License-Identifier: MIT

/// Where a daemon's control socket is. Pure: the environment is an argument.
package enum ControlSocket {
    package static let name = "aircheck.sock"
    private static let systemFolder = "/run/aircheck"

    /// The path at which a daemon creates its socket. The folder is `$RUNTIME_DIRECTORY`, which service managers set;
    /// otherwise the folder of the user's session; otherwise the system's folder.
    package static func ownPath(_ environment: [String: String]) -> String {
        // The service manager may name several folders, separated by colons.
        if let folder = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first, folder.hasPrefix("/") {
            return "\(folder)/\(name)"
        }
        return candidates(environment)[0]
    }

    /// The path of the socket at which the daemon's user plays its stations without a password, beside the control
    /// socket at `path`.
    package static func player(beside path: String) -> String { path + ".play" }

    /// The paths at which clients look for a daemon's socket, the most likely one first.
    package static func candidates(_ environment: [String: String]) -> [String] {
        var folders: [String] = []
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { folders.append("\(folder)/aircheck") }
        folders.append(systemFolder)
        return folders.map { "\($0)/\(name)" }
    }
}
