// SPDX-License-Identifier: MIT

import Instants
package import RadioCore
package import RadioFormats

/// The list of broadcasts that the ledger of shows gives.
package enum BroadcastList {
    /// The newest broadcasts first, each only once, even if a crash has entered it twice. Conditions that are nil are
    /// ignored; `from` and `until` limit the times at which the broadcasts began.
    package static func select(
        _ entries: [JSONValue], station: String?, show: String?, from: CivilTime?, until: CivilTime?, atMost most: Int
    ) -> [JSONValue] {
        var seen: Set<String> = []
        let found = entries.reversed().compactMap { entry -> (WallInstant, JSONValue)? in
            guard let start = entry["from"]?.timeValue?.instant,
                let id = entry["station"]?.stringValue, let name = entry["show"]?.stringValue,
                station ?? id == id, show ?? name == name, from.map({ $0.instant <= start }) ?? true,
                until.map({ start < $0.instant }) ?? true,
                seen.insert("\(id) \(name) \(start.nanoseconds)").inserted
            else { return nil }
            return (start, entry)
        }
        return found.sorted { $0.0 > $1.0 }.prefix(most).map(\.1)
    }
}
