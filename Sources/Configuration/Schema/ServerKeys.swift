// SPDX-License-Identifier: MIT

/// Keys above all tables.
enum RootKey {
    static let zone = ConfigurationKey.standard(
        "zone", .text, "\"local\"", "The time zone of shows that name no zone; \"local\" is this machine's.")

    static let all = [zone]
}

/// Keys of `[server]`.
enum ServerKey {
    static let listen = ConfigurationKey.standard(
        "listen", .texts, "[\"127.0.0.1:8000\"]",
        "Addresses and ports for players, browsers and other programs; or a Unix socket, unix:/run/aircheck.sock.")
    static let hostNames = ConfigurationKey.optional(
        "host-names", .texts, "[\"radio.example\"]", "Further names of this machine, for its pages.")
    static let allow = ConfigurationKey.optional(
        "allow", .texts, "[\"192.168.0.0/16\"]", "Only these addresses and networks have access.")
    static let deny = ConfigurationKey.optional(
        "deny", .texts, "[\"192.168.0.66\"]", "These addresses and networks have no access.")
    static let users = ConfigurationKey.optional(
        "users", .text, "\"users\"", "Only the people in this file have access: lines of name:hash.")
    static let mostPerAddress = ConfigurationKey.optional(
        "max-per-address", .count(0...1_000_000_000), "10",
        "Maximum number of listeners at one address; 0 for no limit.")
    static let connectRate = ConfigurationKey.optional(
        "connect-rate", .anyCount, "5", "Maximum number of new connections per second from one address.")
    static let mostConnections = ConfigurationKey.optional(
        "max-connections", .anyCount, "1000", "Maximum number of connections at one time.")
    static let trustedProxies = ConfigurationKey.optional(
        "trusted-proxies", .texts, "[\"10.0.0.1\"]", "Proxies that are trusted to name a listener's address.")
    static let accessLog = ConfigurationKey.optional(
        "access-log", .text, "\"access.log\"", "A file with a line for each request; \"-\" is standard error.")
    static let metrics = ConfigurationKey.standard(
        "metrics", .flag, "true", "Whether figures for Prometheus are served at /metrics.")

    static let all = [
        listen, hostNames, allow, deny, users, mostPerAddress, connectRate, mostConnections, trustedProxies, accessLog,
        metrics,
    ]
}

/// Keys of `[storage]`.
enum StorageKey {
    static let recordings = ConfigurationKey.standard(
        "recordings", .text, "\"recordings\"", "The folder of recordings, relative to the folder of this file.")
    static let state = ConfigurationKey.standard(
        "state", .text, "\"state\"", "The folder of the daemon's state, relative to the folder of this file.")
    static let leastFree = ConfigurationKey.optional(
        "free-space", .size, "\"5GB\"", "How much of the disk to keep free, by deleting the oldest recordings.")
    static let stationsAtOnce = ConfigurationKey.optional(
        "stations-at-once", .anyCount, "4", "Maximum number of stations recorded for shows at one time.")

    static let all = [recordings, state] + KeepKey.all + [leastFree, stationsAtOnce]
}

/// Keys of `[[hook]]`.
enum HookKey {
    static let on = ConfigurationKey.required(
        "on", .texts, "[\"recording-finished\", \"show-missed\"]", "The events to report.")
    static let run = ConfigurationKey.optional(
        "run", .list, "[\"/usr/local/bin/after-show\", \"quietly\"]",
        "A program with its whole path, and its arguments.")
    static let post = ConfigurationKey.optional(
        "post", .text, "\"https://example.org/hook\"", "An address that gets the event as JSON.")
    static let postFile = ConfigurationKey.optional(
        "post-file", .text, "\"hook.address\"", "A file with the address for post, which only you can read.")
    static let postCredential = ConfigurationKey.optional(
        "post-credential", .text, "\"hook-address\"", "The name of a systemd credential with the address for post.")
    static let mail = ConfigurationKey.optional(
        "mail", .text, "\"me@example.org\"", "The address that gets a mail, through this machine's sendmail.")
    static let ntfy = ConfigurationKey.optional(
        "ntfy", .text, "\"https://ntfy.sh/my-radio\"", "The address of a topic of ntfy.")
    static let tokenFile = ConfigurationKey.optional(
        "token-file", .text, "\"hook.token\"", "A file with a token for post or ntfy, which only you can read.")
    static let tokenCredential = ConfigurationKey.optional(
        "token-credential", .text, "\"ntfy-token\"", "The name of a systemd credential with a token for post or ntfy.")
    static let deadline = ConfigurationKey.standard("timeout", .duration, "\"1m\"", "How long the hook may take.")

    static let all = [on, run, post, postFile, postCredential, mail, ntfy, tokenFile, tokenCredential, deadline]
    /// The keys for actions. Each hook has exactly one of them.
    static let actions = [run, post, postFile, postCredential, mail, ntfy]
}

/// Keys of `[player]`.
enum PlayerKey {
    static let station = ConfigurationKey.optional(
        "station", .text, "\"example\"", "The id of the station to play when the daemon starts.")
    static let device = ConfigurationKey.optional(
        "device", .text, "\"alsa_output.usb\"", "The name of the loudspeaker.")
    static let volume = ConfigurationKey.standard("volume", .count(0...150), "100", "The volume in percent.")

    static let all = [station, device, volume]
}
