// SPDX-License-Identifier: MIT

import Glibc

/// Where the bus of the user's session listens.
package enum BusAddress {
    /// The session's bus as its environment names it, or as a socket in the user's runtime folder; nil where there is
    /// no session.
    ///
    /// Of several addresses the first Unix socket is taken. The other kinds are none for a desktop, and to reach them
    /// takes a program that is run, or a name that is looked up.
    package static func ofSession(
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } },
        isSocket: (String) -> Bool = isSocket
    ) -> String? {
        if let addresses = environment("DBUS_SESSION_BUS_ADDRESS"), !addresses.isEmpty {
            return addresses.split(separator: ";").first { $0.hasPrefix("unix:") }.map(String.init)
        }
        guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        let path = "\(folder)/bus"
        return isSocket(path) ? "unix:path=\(escaped(path))" : nil
    }

    /// Whether there is a socket of that name.
    package static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// As the D-Bus specification wants values in addresses.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80 && (scalar.properties.isAlphabetic || "0123456789-_/.*\\".unicodeScalars.contains(scalar))
            let digits = String(byte, radix: 16)
            result += isPlain ? String(scalar) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
    }
}
