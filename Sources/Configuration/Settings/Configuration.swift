// SPDX-License-Identifier: MIT

package import HTTPServer

/// The settings of `aircheck serve`, all of them valid. Paths are absolute.
package struct Configuration: Hashable, Sendable {
    package var server = ServerSettings()
    package var storage = StorageSettings()
    package var stations: [StationConfiguration] = []
    package var hooks: [HookSettings] = []
    /// The settings of the player; nil if nothing is played on this machine.
    package var player: PlayerConfiguration?
    /// The settings that each ``ConfigurationTable`` has read, by the path of the table.
    var tables = NamedValues()
    package var notes = ConfigurationNotes()

    package init() {}
}

/// Where to listen, and who has access: `[server]`.
package struct ServerSettings: Hashable, Sendable {
    /// The addresses at which relays, pages, the API and metrics are served.
    package var listen: [SocketAddress] = []
    /// Whether ``listen`` is the default because the file does not set it.
    package var listensByDefault = true
    /// Names under which pages may be requested, besides this machine's own.
    package var hostNames: Set<String> = []
    package var networks = NetworkPolicy()
    /// The users file. Only the people in it have access; if it is nil, everybody has access.
    package var users: String?
    package var mostPerAddress: Int?
    /// Where the access log writes a line for each request; nil for no access log.
    package var accessLog: AccessLogFile.Destination?
    /// The maximum number of new connections per second from one address.
    package var connectRate: Int?
    package var mostConnections: Int?
    package var trustedProxies: [IPNetwork] = []
    /// Whether `/metrics` is served.
    package var metrics = true
}

/// Where recordings and state are kept, and for how long: `[storage]`.
package struct StorageSettings: Hashable, Sendable {
    package var recordings = ""
    /// The folder of the catalog, locks and positions.
    package var state = ""
    /// The rule for stations and shows that have no rules of their own.
    package var keep = RetentionRule()
    /// The number of bytes on the disk that recordings leave free. The oldest recordings are deleted to keep this space
    /// free. If it is nil, no recordings are deleted for space.
    package var leastFree: Int64?
    /// The maximum number of stations that are recorded for shows at one time; nil for no limit.
    package var stationsAtOnce: Int?

    package init() {}
}

/// A command to run or an address to notify at events: `[[hook]]`.
package struct HookSettings: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// An absolute path and its arguments, run without a shell.
        case command([String])
        /// An HTTP POST of the event.
        case post(url: String)
        /// A mail to this address, through `sendmail`.
        case mail(to: String)
        /// A message to an ntfy topic, given by its address.
        case ntfy(url: String)

        /// The address of a request; nil for other actions. Its path may be a secret.
        package var url: String? {
            switch self {
            case .post(let url), .ntfy(let url): url
            case .command, .mail: nil
            }
        }
    }

    /// The program that sends mails.
    package static let sendmail = "/usr/sbin/sendmail"

    /// The names of the events of which the hook is notified.
    package var events: Set<String>
    package var action: Action
    /// The bearer token by which a server recognises the sender (RFC 6750); nil for none. A secret.
    package var token: String?
    /// The limit for the time that a command or a request may take.
    package var deadline = Duration.seconds(60)
}

/// The player on this machine: `[player]`.
package struct PlayerConfiguration: Hashable, Sendable {
    /// The ID of the station to play at the start; nil for none.
    package var station: String?
    package var device: String?
    /// The volume in percent.
    package var volume = 100
}
