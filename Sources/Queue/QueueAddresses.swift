// SPDX-License-Identifier: MIT

import RadioFormats
import Stations

/// Makes the connection settings for the addresses of a queue.
struct QueueAddresses {
    /// The user's settings for the addresses that the user named.
    private let station: StationSettings
    private let origins: Set<[String?]>
    /// Whether items of a list may have private addresses; nil if the user named the items.
    var listAllowsPrivate: Bool?

    /// The longest time for which one item is tried. It is shorter than for a station, because other items can play
    /// instead.
    private static let patience = Duration.seconds(20)

    init(_ spec: QueueSpec) {
        station = spec.station
        origins = Set(spec.sources.map(Self.origin))
    }

    /// Settings for addresses that may be mirrors of one station.
    func settings(forMirrors addresses: [String]) -> StationSettings {
        var settings = station
        settings.takesLengthForFile = true
        settings.endsWhereRepeated = true
        settings.setURLs(addresses)
        return settings
    }

    /// Settings for one item of the queue. `options`: how its list says that it must be requested.
    func settings(forItem address: String, _ options: EntryOptions = EntryOptions()) -> StationSettings {
        var settings = settings(forMirrors: [address])
        if !options.isEmpty { settings.options = [address: options] }
        settings.giveUp = min(settings.giveUp ?? Self.patience, Self.patience)
        // Only servers that the user named receive the user's headers.
        if !origins.contains(Self.origin(address)) { (settings.headers, settings.socket) = ([], nil) }
        if let listAllowsPrivate { settings.allowsPrivateAddress = listAllowsPrivate }
        return settings
    }

    private static func origin(_ address: String) -> [String?] {
        let url = URLReference(address)
        let server = url.authority?.split(separator: "@", omittingEmptySubsequences: false).last
        return [url.scheme?.lowercased(), server?.lowercased()]
    }
}
