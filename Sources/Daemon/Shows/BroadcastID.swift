// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
package import RadioFormats

/// Identifies a broadcast of a show in what is stored of it.
package struct BroadcastID: Hashable, Sendable {
    private let station: String
    private let show: String
    /// The beginning in milliseconds, because stored times are not more precise.
    private let begins: Int64

    init(station: String, show: String, begins: WallInstant) {
        (self.station, self.show) = (station, show)
        self.begins = begins.nanoseconds / 1_000_000
    }

    init(_ airing: ShowAiring) {
        self.init(station: airing.station, show: airing.show.id, begins: airing.window.lowerBound)
    }

    /// The broadcast of an entry in the ledger of shows; nil if the entry names none.
    package init?(_ entry: JSONValue) {
        guard let station = entry["station"]?.stringValue, let show = entry["show"]?.stringValue,
            let from = entry["from"]?.timeValue
        else { return nil }
        self.init(station: station, show: show, begins: from.instant)
    }
}
