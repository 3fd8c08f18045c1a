// SPDX-License-Identifier: MIT

import Control
import Glibc
import HTTPServer
import RadioCore
import RadioFormats

/// Where a station of the running daemon can be played.
struct RelayedStation: Hashable {
    /// The address at which the daemon relays the station.
    var url: String
    /// The Unix socket to connect to, at which the daemon's own user needs no password; nil to connect to the address.
    var socket: String?

    /// Whether the text is more likely a station's ID than an address or the name of a file. A text with a dot never
    /// counts as an ID: IDs may have dots, but so do hosts and most files.
    static func looksLikeID(_ text: String) -> Bool {
        !text.isEmpty && text != "-" && !text.contains { "/:.".contains($0) }
    }

    /// Finds a station. Nil if the text can be anything else, or if no daemon on this machine has such a station.
    /// `hasPassword`: whether the user gives a password separately from the address. Throws if the daemon has the
    /// station, but it cannot be played from there.
    static func find(
        _ text: String, _ client: ControlClient, hasPassword: Bool
    ) throws(SettingFault) -> RelayedStation? {
        guard !text.isEmpty, !text.contains("/"), !text.contains(":"), text != "-", access(text.pathBytes, F_OK) != 0,
            let status = try? client.ask(ControlTarget("/v1/status"), timeout: .seconds(5))
        else { return nil }
        return try find(text, in: status, hasPassword: hasPassword) { access($0.pathBytes, R_OK | W_OK) == 0 }
    }

    /// Finds a station in the daemon's status. `mayConnect`: whether this user may connect to a Unix socket. Otherwise
    /// as for ``find(_:_:hasPassword:)``.
    static func find(
        _ id: String, in status: JSONValue, hasPassword: Bool, mayConnect: (String) -> Bool
    ) throws(SettingFault) -> RelayedStation? {
        guard let station = status["stations"]?.arrayValue?.first(where: { $0["id"]?.stringValue == id }) else {
            return nil
        }
        guard let mount = station["mount"]?.stringValue else {
            throw SettingFault(
                .source, "\(id) is not relayed: the daemon's configuration says relay = false",
                remedy: "remove 'relay = false' and run 'aircheck reload', or play the station's own address")
        }
        if let socket = status["play_socket"]?.stringValue, mayConnect(socket) {
            return RelayedStation(url: "http://localhost\(mount)", socket: socket)
        }
        guard let url = loopback(status, mount) ?? network(station) else {
            throw SettingFault(
                .source, "the daemon relays \(id), but listens on no network address",
                remedy: """
                    run this command as the daemon's user, or add an address to 'listen' in its configuration, such as \
                    "127.0.0.1:8000"
                    """)
        }
        guard hasPassword || status["needs_password"]?.boolValue != true else {
            let withUser = url.replacing("://", with: "://USER:PASSWORD@", maxReplacements: 1)
            throw SettingFault(
                .source, "the daemon requires a password for listening to \(id)",
                remedy: "put your user name and password into the address: aircheck play \(withUser)")
        }
        return RelayedStation(url: url)
    }

    /// The station's address on loopback, which does not change when the machine moves to another network.
    private static func loopback(_ status: JSONValue, _ mount: String) -> String? {
        let addresses = status["listen"]?.arrayValue?.compactMap { $0.stringValue.flatMap { SocketAddress($0) } } ?? []
        let own = addresses.filter { $0.family != AF_UNIX && ($0.isLoopback || $0.isWildcard) }.map { address in
            guard address.isWildcard else { return address }
            let isV6 = address.host != .any && address.family == AF_INET6
            return SocketAddress(host: isV6 ? .v6(high: 0, low: 1, scope: 0) : .v4(0x7F00_0001), port: address.port)
        }
        return own.first?.url(mount)
    }

    /// The station's first address that is not a Unix socket.
    private static func network(_ station: JSONValue) -> String? {
        station["urls"]?.arrayValue?.compactMap(\.stringValue).first { !$0.hasPrefix(socketScheme) }
    }

    /// The prefix of addresses on a Unix socket, to which players cannot connect.
    private static let socketScheme = "http://unix:"
}
