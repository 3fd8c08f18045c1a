// SPDX-License-Identifier: MIT

import HTTPServer
import RadioCore

/// Reads the tables of a file into settings. Faults are added to the table readers' list. If there are any faults, the
/// result must not be used.
struct ConfigurationReader {
    /// The folder of the file; absolute.
    let folder: String
    let context: ConfigurationContext

    func read(_ top: TableReader) -> Configuration {
        top.checkKeys()
        var configuration = Configuration()
        configuration.server = server(top.section("server"))
        configuration.storage = storage(top.section("storage"))
        let zone = zone(top, RootKey.zone) ?? "local"
        let stations = top.sections("station")
        configuration.stations = stations.compactMap { StationReader(reader: self, table: $0, zone: zone).read() }
        checkIDs(stations, StationKey.id, "a station")
        checkNames(stations)
        configuration.hooks = top.sections("hook").compactMap { HookReader(reader: self, table: $0).read() }
        if let table = top.section("player") {
            configuration.player = player(table, stations: configuration.stations.map(\.id), all: stations.count)
        }
        for type in Configuration.tables {
            let table = top.section(type.section.path)
            table?.checkKeys()
            configuration.tables[type.section.path] = table.map { type.init($0, in: self) } ?? type.init()
        }
        return configuration
    }

    private func server(_ table: TableReader?) -> ServerSettings {
        var settings = ServerSettings()
        settings.listen = (try? SocketAddress(parsing: "127.0.0.1:8000")).map { [$0] } ?? []
        guard let table else { return settings }
        table.checkKeys()
        if let addresses = table.parsedList(ServerKey.listen, { try SocketAddress(parsing: $0) }) {
            if addresses.isEmpty, table.texts(ServerKey.listen)?.isEmpty == true {
                table.fault(ServerKey.listen, "it needs an address", remedy: "leave listen out for 127.0.0.1:8000")
            }
            if Set(addresses).count < addresses.count {
                table.fault(ServerKey.listen, "an address is listed twice")
            }
            settings.listen = addresses
            settings.listensByDefault = false
        }
        if let names = table.parsedList(ServerKey.hostNames, HostName.parse) { settings.hostNames = Set(names) }
        settings.networks = NetworkPolicy(
            allowed: networks(table, ServerKey.allow, .allow), denied: networks(table, ServerKey.deny, .deny))
        settings.users = path(table, ServerKey.users)
        if let users = settings.users {
            _ = table.parsed(ServerKey.users) { _ in try UsersFileCheck.check(users) }
        }
        settings.mostPerAddress = table.count(ServerKey.mostPerAddress)
        settings.connectRate = table.count(ServerKey.connectRate)
        settings.mostConnections = table.count(ServerKey.mostConnections)
        settings.trustedProxies = networks(table, ServerKey.trustedProxies, .trustedProxy)
        settings.accessLog = table.text(ServerKey.accessLog).flatMap { text in
            text == "-" ? .standardError : path(table, ServerKey.accessLog).map { .file(path: $0) }
        }
        if case .file(let path)? = settings.accessLog { table.expect(ServerKey.accessLog, .folder(of: path)) }
        settings.metrics = table.flag(ServerKey.metrics) ?? settings.metrics
        return settings
    }

    private func networks(_ table: TableReader, _ key: ConfigurationKey, _ field: SettingField) -> [IPNetwork] {
        table.parsedList(key) { try IPNetwork(parsing: $0, as: field) } ?? []
    }

    private func storage(_ table: TableReader?) -> StorageSettings {
        var settings = StorageSettings()
        settings.recordings = (try? ConfiguredPath.parse("recordings", in: folder)) ?? ""
        settings.state = (try? ConfiguredPath.parse("state", in: folder)) ?? ""
        guard let table else { return settings }
        table.checkKeys()
        settings.recordings = path(table, StorageKey.recordings) ?? settings.recordings
        settings.state = path(table, StorageKey.state) ?? settings.state
        if table.has(StorageKey.recordings) {
            table.expect(StorageKey.recordings, .folderOrNothing(settings.recordings))
        }
        if settings.recordings == settings.state {
            table.doubt(
                table.has(StorageKey.recordings) ? StorageKey.recordings : StorageKey.state,
                "recordings and state are the same folder", remedy: "give the daemon's state a folder of its own")
        }
        settings.keep = RetentionRule(table)
        settings.leastFree = table.parsed(StorageKey.leastFree, HumanSize.parse)
        if settings.leastFree != nil { table.expect(StorageKey.leastFree, .diskAboveFloor) }
        settings.stationsAtOnce = table.count(StorageKey.stationsAtOnce)
        return settings
    }

    private func player(_ table: TableReader, stations: [String], all: Int) -> PlayerConfiguration {
        table.checkKeys()
        var player = PlayerConfiguration()
        player.station = table.text(PlayerKey.station)
        // A station with faults may have an ID that is not known here. So an unknown ID is only reported if no station
        // has faults.
        if let station = player.station, !stations.contains(station), stations.count == all {
            table.fault(
                PlayerKey.station, "there is no station with the id \(SafeText.quoted(station))",
                remedy: NearestWord.nearest(to: station, in: stations).map { "did you mean \"\($0)\"?" })
        }
        player.device = table.name(PlayerKey.device)
        player.volume = table.count(PlayerKey.volume) ?? player.volume
        return player
    }
}

// MARK: - Shared by several tables

extension ConfigurationReader {
    /// The value of a key that is a path, made absolute.
    func path(_ table: TableReader, _ key: ConfigurationKey) -> String? {
        table.parsed(key) { try ConfiguredPath.parse($0, in: folder) }
    }

    /// The name of a zone; `local` is the zone of the machine.
    func zone(_ table: TableReader, _ key: ConfigurationKey) -> String? {
        guard let zone = table.text(key) else { return nil }
        let isPlain = ZoneName.isPlain(zone)
        guard zone != "local", !isPlain || !context.zones.isKnown(zone) else { return zone }
        return table.fault(
            key, "there is no time zone \(SafeText.quoted(zone))",
            remedy: (isPlain ? context.zones.nearest(zone) : nil).map { "did you mean \"\($0)\"?" }
                ?? "write a name such as \"Europe/Paris\"")
    }

    /// Doubts each name that would give a station the same names of files as an earlier one.
    private func checkNames(_ tables: [TableReader]) {
        var lines: [String: Int] = [:]
        for table in tables {
            guard let node = table.table[StationKey.name.name], case .text(let name) = node.value else { continue }
            guard let line = lines.updateValue(node.position.line, forKey: SafeName.key(name)) else { continue }
            table.doubt(
                StationKey.name, "the station of line \(line) has the same name in names of files",
                remedy: "give one of them another name; otherwise, the id stands in the names of this station's files")
        }
    }

    /// Adds a fault for each ID that an earlier table already has.
    func checkIDs(_ tables: [TableReader], _ key: ConfigurationKey, _ kind: String) {
        var lines: [String: Int] = [:]
        for table in tables {
            guard let node = table.table[key.name], case .text(let id) = node.value else { continue }
            if let line = lines[id] {
                table.fault(key, "\(SafeText.quoted(id)) is already the id of \(kind) in line \(line)")
            } else {
                lines[id] = node.position.line
            }
        }
    }
}
