// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// Finds programs.
package enum ProgramSearch {
    /// The absolute path of a program in `folders`, separated by colons, or in the folders of `PATH` if `folders` is
    /// nil. Nil if none of these folders contains the program.
    package static func path(of name: String, in folders: String? = nil) -> String? {
        let folders = folders ?? getenv("PATH").map { String(path: $0) } ?? "/usr/bin:/bin"
        for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
            let path = folder + "/" + name
            if access(path.pathBytes, X_OK) == 0 { return path }
        }
        return nil
    }
}
