// SPDX-License-Identifier: MIT

import HTTPServer
import RadioFormats

extension SocketAddress {
    /// The address in a web URL, if that names an IP address or `localhost`; nil for other names, which are not
    /// resolved.
    init?(ofURL text: String) {
        let url = URLReference(text)
        guard let server = url.authority?.split(separator: "@").last?.lowercased() else { return nil }
        let hasPort = server.contains(":") && !server.hasSuffix("]")
        self.init(hasPort ? server : "\(server):\(url.scheme == "https" ? 443 : 80)")
    }

    /// Whether a connection to this address reaches the program on this machine that listens on `listener`.
    func isAnswered(by listener: SocketAddress) -> Bool {
        guard port == listener.port, port != 0, family == listener.family || listener.host == .any else { return false }
        if host == listener.host { return true }
        // A connection to the wildcard address reaches this machine on its loopback addresses.
        if isWildcard { return listener.isLoopback }
        return listener.isWildcard && (isLoopback || listener.reachable.contains(self))
    }
}
