// SPDX-License-Identifier: MIT

import HTTPServer

/// Checks the users file while the configuration is read.
enum UsersFileCheck {
    private static let longest = 4 << 20

    /// Throws if the file cannot be used.
    static func check(_ path: String) throws {
        // Refuses a pipe, which would block.
        _ = try SmallFile.read(path, limit: longest)
        _ = try UserList(file: path)
    }
}
