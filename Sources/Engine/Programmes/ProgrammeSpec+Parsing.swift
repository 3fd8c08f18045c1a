// SPDX-License-Identifier: MIT

import MediaSources
package import RadioCore
import RadioFormats
package import Stations

extension ProgrammeSpec {
    /// Makes the settings of a station from its addresses.
    package typealias StationParser = ([String]) throws(SettingFault) -> StationSettings

    /// Parses what to relay: a station's addresses, or files on this machine, delivered `ahead` of real time.
    package init(
        parsing sources: [String], shuffle: Bool, once: Bool, seed: UInt64, ahead: Duration, station: StationParser
    ) throws(SettingFault) {
        guard sources.contains(where: Self.isAddress) else {
            self = .media(try MediaPlan(parsing: sources, shuffle: shuffle, once: once, seed: seed), ahead: ahead)
            return
        }
        guard sources.allSatisfy(Self.isAddress) else {
            throw SettingFault(.source, "addresses and files cannot be mixed")
        }
        if shuffle || once {
            throw SettingFault(shuffle ? .shuffle : .once, "only for files; a station has its own order")
        }
        self = .station(try station(sources))
    }

    /// Parses the fallback. The user's header fields are dropped: they are meant only for the station.
    package init(parsingFallback source: String, ahead: Duration, station: StationParser) throws(SettingFault) {
        guard source != "-" else {
            throw SettingFault(.fallback, "standard input (-) cannot be played a second time")
        }
        guard Self.isAddress(source) else {
            self = .media(try MediaPlan(parsing: [source], as: .fallback), ahead: ahead)
            return
        }
        var settings = try station([source])
        settings.headers = []
        self = .station(settings)
    }

    private static func isAddress(_ source: String) -> Bool { AddressText(source).isAddress }
}
