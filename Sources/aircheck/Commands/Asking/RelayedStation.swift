// SPDX-License-Identifier: MIT

import Control
import Glibc
import RadioCore
import RadioFormats

/// Resolves a station's ID to its relay address at the running daemon.
enum RelayedStation {
    /// Whether the text is more likely a station's ID than an address or the name of a file. A text with a dot never
    /// counts as an ID: IDs may have dots, but so do hosts and most files.
    static func looksLikeID(_ text: String) -> Bool {
        !text.isEmpty && text != "-" && !text.contains { "/:.".contains($0) }
    }

    /// The address at which the daemon relays the station. Nil if the text can be anything else, or if no daemon on
    /// this machine has such a station. `hasPassword`: whether the user gives a password separately from the address.
    /// Throws if the daemon has the station, but it cannot be played from there.
    static func url(of text: String, _ client: ControlClient, hasPassword: Bool) throws(SettingFault) -> String? {
        guard !text.isEmpty, !text.contains("/"), !text.contains(":"), text != "-", access(text.pathBytes, F_OK) != 0,
            let status = try? client.ask(ControlTarget("/v1/status"), timeout: .seconds(5))
        else { return nil }
        return try url(of: text, in: status, hasPassword: hasPassword)
    }

    /// The address at which the daemon relays the station, according to the daemon's status. Otherwise as for
    /// ``url(of:_:hasPassword:)``.
    static func url(of id: String, in status: JSONValue, hasPassword: Bool) throws(SettingFault) -> String? {
        guard let station = status["stations"]?.arrayValue?.first(where: { $0["id"]?.stringValue == id }) else {
            return nil
        }
        guard station["mount"]?.stringValue != nil else {
            throw SettingFault(
                .source, "\(id) is not relayed: the daemon's configuration says relay = false",
                remedy: "remove 'relay = false' and run 'aircheck reload', or play the station's own address")
        }
        let urls = station["urls"]?.arrayValue?.compactMap(\.stringValue) ?? []
        guard let url = urls.first(where: { !$0.hasPrefix(socketScheme) }) else {
            throw SettingFault(
                .source, "the daemon relays \(id), but listens on no network address",
                remedy: "add an address to 'listen' in its configuration, such as \"127.0.0.1:8000\"")
        }
        guard hasPassword || status["needs_password"]?.boolValue != true else {
            let withUser = url.replacing("://", with: "://USER:PASSWORD@", maxReplacements: 1)
            throw SettingFault(
                .source, "the daemon requires a password for listening to \(id)",
                remedy: "put your user name and password into the address: aircheck play \(withUser)")
        }
        return url
    }

    /// The prefix of addresses on a Unix socket, to which players cannot connect.
    private static let socketScheme = "http://unix:"
}
