// SPDX-License-Identifier: MIT

import HTTPServer

/// Checks the users file as part of reading the configuration.
enum UsersFileCheck {
    private static let longest = 4 << 20

    /// Throws if the file cannot be used.
    static func check(_ path: String) throws {
        // Without this, a pipe would block the reading; SmallFile refuses it.
        _ = try SmallFile.read(path, limit: longest)
        _ = try UserList(file: path)
    }
}
