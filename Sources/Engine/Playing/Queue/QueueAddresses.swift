// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats
import Stations

/// How the addresses of a queue are asked: a value.
struct QueueAddresses {
    /// What the user gave, for what the user named.
    private let station: StationSettings
    private let origins: Set<[String?]>
    /// Whether items of a list may lie in our own network; nil where the user named them.
    var listAllowsPrivate: Bool?

    /// Among several items nobody waits as long for one of them as for a station.
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
        settings.urls = addresses
        return settings
    }

    /// For an item.
    func settings(forItem address: String) -> StationSettings {
        var settings = settings(forMirrors: [address])
        settings.giveUp = min(settings.giveUp ?? Self.patience, Self.patience)
        // Only servers that the user named get what the user gave for them.
        if !origins.contains(Self.origin(address)) { settings.headers = [] }
        if let listAllowsPrivate { settings.allowsPrivateAddress = listAllowsPrivate }
        return settings
    }

    private static func origin(_ address: String) -> [String?] {
        let url = URLReference(address)
        let server = url.authority?.split(separator: "@", omittingEmptySubsequences: false).last
        return [url.scheme?.lowercased(), server?.lowercased()]
    }
}
