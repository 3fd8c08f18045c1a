// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import HTTPServer
import RadioCore
import Relay

/// Options for who may listen.
struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Only the users in this file may listen: lines of name:hash, as 'aircheck password', 'htpasswd -B' or \
            'openssl passwd -6' make them.
            """, valueName: "file"), completion: .file())
    var users: String?

    @Option(
        help: ArgumentHelp(
            "Only this address or network may listen, such as 192.168.0.0/16. May be given several times.",
            valueName: "network"))
    var allow: [String] = []

    @Option(help: .value("network", "This address or network may not listen. May be given several times."))
    var deny: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Maximum number of listeners at one address; 0 for no limit. Default: 100 where other machines can connect. \
            This machine itself has no limit. An IPv6 network of /64 counts as one address, but addresses of the local \
            network (fe80::/10, fc00::/7) count one by one.
            """, valueName: "number"),
        transform: { $0 == "0" ? 0 : try ArgumentValue.count($0) })
    var maxPerAddress: Int?

    @Option(
        help: ArgumentHelp(
            """
            Maximum number of new connections per second from one address; bursts of up to five seconds' worth are \
            allowed. Addresses are counted as for --max-per-address.
            """, valueName: "number"), transform: ArgumentValue.count)
    var connectRate: Int?

    @Option(
        help: .value("number", "Maximum number of connections. Default: the limit of open files, less 256"),
        transform: ArgumentValue.count)
    var maxConnections: Int?

    @Option(
        help: .value("network", "A proxy that is trusted to name the listener's address. May be given several times."))
    var trustedProxy: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Another host name of this machine, for its pages. Addresses, names without a domain, and names in private \
            domains, such as .local, .lan and .fritz.box, need not be given. May be given several times.
            """,
            valueName: "name"))
    var hostName: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Write a line for each request to this file (the combined format), or with - to standard error. If the file \
            is renamed, for example by logrotate, Aircheck creates a new file.
            """, valueName: "file"), completion: .file())
    var accessLog: String?

    /// The first of these options that was given; nil if none was.
    var given: String? {
        Self.first(given: [
            "--users": users != nil, "--allow": !allow.isEmpty, "--deny": !deny.isEmpty,
            "--trusted-proxy": !trustedProxy.isEmpty, "--host-name": !hostName.isEmpty,
            "--max-per-address": maxPerAddress != nil, "--connect-rate": connectRate != nil,
            "--access-log": accessLog != nil, "--max-connections": maxConnections != nil,
        ])
    }

    func apply(to mount: inout MountSpec, _ service: inout ServiceSpec) throws(SettingFault) {
        mount.settings.rules.networks = NetworkPolicy(
            allowed: try Self.networks(allow, .allow), denied: try Self.networks(deny, .deny))
        if let users { mount.settings.rules.users = try UserList(file: users) }
        service.limits.trustedProxies = try Self.networks(trustedProxy, .trustedProxy)
        service.limits.streamsPerAddress = HTTPLimits.perAddress(maxPerAddress, at: service.addresses)
        service.limits.connectRate = connectRate.map { RateLimit(perSecond: $0, burst: 5 * $0) }
        service.limits.connections = maxConnections
        service.rules.networks = mount.settings.rules.networks
        service.rules.users = mount.settings.rules.users
        service.hostNames = Set(hostName)
        service.hostNameRemedy = "with --host-name"
        service.accessLog = accessLog.map { AccessLogFile.Destination(path: $0) }
    }

    private static func networks(_ texts: [String], _ field: SettingField) throws(SettingFault) -> [IPNetwork] {
        try texts.map { text throws(SettingFault) in try IPNetwork(parsing: text, as: field) }
    }
}
