// SPDX-License-Identifier: MIT

import Glibc

/// Where programs are.
enum ProgramSearch {
    /// The absolute path of a program in one of these folders, which stand one behind the other with colons; nil where
    /// it is in none. Without folders it is those of `PATH`.
    static func path(of name: String, in folders: String? = nil) -> String? {
        let folders = folders ?? getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
            let path = folder + "/" + name
            if access(path, X_OK) == 0 { return path }
        }
        return nil
    }
}
