// SPDX-License-Identifier: MIT

package import RadioCore

extension SocketAddress {
    /// Parses an address to listen on.
    package init(parsing text: String) throws(SettingFault) {
        guard let address = SocketAddress(text) else {
            if let path = Self.unixPath(in: text) { throw Self.fault(ofUnixPath: path) }
            throw SettingFault(
                .listen, "'\(text)' is not an address with a port, such as 127.0.0.1:8000, [::1]:8000, or :8000 for all"
            )
        }
        self = address
    }

    /// Why a Unix socket cannot have this path.
    private static func fault(ofUnixPath path: String) -> SettingFault {
        guard path.hasPrefix("/") else {
            return SettingFault(
                .listen, "'\(path)' is not the full path of a Unix socket",
                remedy: "begin it with /, as in unix:/run/x")
        }
        guard path.utf8.count <= Host.longestPath else {
            return SettingFault(
                .listen, "the path of a Unix socket can have \(Host.longestPath) bytes, not \(path.utf8.count)",
                remedy: "choose a shorter path")
        }
        return SettingFault(
            .listen, "'\(path)' cannot be the path of a Unix socket",
            remedy: "give the path of a file that Aircheck can create, without control characters")
    }
}
