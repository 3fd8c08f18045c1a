// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Relay
import Stations

/// Reads one `[[station]]` with its shows.
struct StationReader {
    let reader: ConfigurationReader
    let table: TableReader
    /// The time zone of shows that name none.
    let zone: String

    private static let outages: ClosedRange<Duration> = .seconds(1) ... .seconds(7 * 86_400)

    /// Returns nil if the ID or the address is missing or invalid.
    func read() -> StationConfiguration? {
        table.checkKeys()
        let id = table.parsed(StationKey.id, PublicID.parseStation)
        let name = table.name(StationKey.name)
        let source = StationSourceReader(reader: reader, table: table).read(name: name)
        let record = table.choice(StationKey.record, StationConfiguration.RecordMode.self)
        let files = files()
        let relay = relay()
        let shows = shows(files)
        let options = StationOptionValues(table)
        checkUses(record: record ?? .shows, relay: relay)
        guard let id, let source else { return nil }
        var station = StationConfiguration(id: id, source: source)
        station.name = name
        station.record = record ?? station.record
        station.files = files
        station.relay = relay
        station.shows = shows
        station.options = options
        return station
    }

    private func files() -> StationConfiguration.Files {
        var files = StationConfiguration.Files()
        files.segment = table.parsed(FilesKey.segment, SegmentPolicy.init(parsing:)) ?? files.segment
        files.name = table.parsed(FilesKey.template, NameTemplate.init(parsing:))
        files.titleOffset = table.parsed(StationKey.titleOffset, SegmentPlanner.titleOffset) ?? .zero
        files.isPure = table.flag(StationKey.pure) ?? files.isPure
        files.keep = RetentionRule(table)
        return files
    }

    private func shows(_ files: StationConfiguration.Files) -> [StationConfiguration.ShowConfiguration] {
        let tables = table.sections("show")
        reader.checkIDs(tables, ShowKey.id, "a show of this station")
        return tables.compactMap { ShowReader(reader: reader, table: $0, zone: zone, stationFiles: files).read() }
    }
}

// MARK: - Listeners

extension StationReader {
    /// The settings for listeners; nil if the station is not relayed.
    private func relay() -> StationConfiguration.Relaying? {
        var relay = StationConfiguration.Relaying()
        relay.isOnDemand = table.flag(RelayKey.onDemand) ?? relay.isOnDemand
        let bursts = .milliseconds(1)...MountSettings().largestBurst
        relay.burst = table.duration(RelayKey.burst, in: bursts) ?? relay.burst
        let pasts = .milliseconds(1)...MountSettings.longestRewind
        relay.rewind = table.duration(RelayKey.rewind, in: pasts) ?? relay.rewind
        relay.longestOutage = table.duration(RelayKey.keepListeners, in: Self.outages) ?? relay.longestOutage
        relay.hasFiller = table.flag(RelayKey.filler) ?? relay.hasFiller
        relay.fallback = table.parsed(RelayKey.fallback, fallback)
        if let fallback = relay.fallback, fallback.hasPrefix("/") { table.expect(RelayKey.fallback, .item(fallback)) }
        relay.mostListeners = table.count(RelayKey.mostListeners)
        guard table.flag(RelayKey.relay) == false else { return relay }
        for key in RelayKey.all where key != RelayKey.relay && table.has(key) {
            table.fault(
                key, "it has no effect with \(RelayKey.relay.name) = false", remedy: "leave out one of the two")
        }
        return nil
    }

    /// An address, or an absolute path.
    private func fallback(_ text: String) throws -> String {
        guard AddressText(text).isAddress else { return try ConfiguredPath.parse(text, in: reader.folder) }
        _ = try StationSettings(parsing: [text], userAgent: reader.context.userAgent, seed: 0)
        return text
    }

    /// Adds faults for contradictory settings.
    private func checkUses(record: StationConfiguration.RecordMode, relay: StationConfiguration.Relaying?) {
        let hasShows = table.table["show"] != nil
        if record == .never, hasShows {
            table.fault(
                StationKey.record, "the station has shows, which would never be recorded",
                remedy: "write record = \"shows\", or leave the shows out")
        }
        if let relay {
            if relay.isOnDemand, record == .always || (record == .shows && hasShows) {
                table.fault(
                    RelayKey.onDemand, "a station that is recorded must be connected even if nobody listens",
                    remedy: "leave on-demand out, or write record = \"never\"")
            }
            if !relay.hasFiller, table.has(RelayKey.fallback) {
                table.fault(
                    RelayKey.fallback, "cannot be combined with filler = false", remedy: "leave one of them out")
            }
        } else if record == .never {
            table.fault(
                RelayKey.relay, "the station would be neither recorded nor relayed",
                remedy: "write record = \"always\" or \"shows\", or relay = true")
        }
    }
}
