// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats

/// Finds the address of the user's session bus.
package enum BusAddress {
    /// The address in `DBUS_SESSION_BUS_ADDRESS`, or else the socket `bus` in the user's runtime folder; nil without a
    /// session.
    ///
    /// Of several addresses, takes the first Unix socket. No desktop uses other kinds of address, and sd-bus would run
    /// a program or look up a host name for them.
    package static func ofSession(
        environment: (String) -> String? = { getenv($0).map { String(path: $0) } },
        isSocket: (String) -> Bool = isSocket
    ) -> String? {
        if let addresses = environment("DBUS_SESSION_BUS_ADDRESS"), !addresses.isEmpty {
            return addresses.split(separator: ";").first { $0.hasPrefix("unix:") }.map(String.init)
        }
        guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        let path = "\(folder)/bus"
        return isSocket(path) ? "unix:path=\(escaped(path))" : nil
    }

    /// Whether `path` is a socket.
    package static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path.pathBytes, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Escapes a value as D-Bus addresses require.
    private static func escaped(_ path: String) -> String {
        PathText.bytes(of: path).reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80 && (scalar.properties.isAlphabetic || "0123456789-_/.*\\".unicodeScalars.contains(scalar))
            let digits = String(byte, radix: 16)
            result += isPlain ? String(scalar) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
    }
}
