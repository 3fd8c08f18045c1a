// SPDX-License-Identifier: MIT

package import RadioFormats

extension StationInfo {
    /// The entry of a list that plays, or another station at the user's address: `{number, of, station, url}`, with null
    /// for the numbers without a list. Nil if the station is the user's without a list.
    package var entryJSON: JSONValue? {
        guard entry != nil || standsIn else { return nil }
        return [
            "number": entry.map { .integer(Int64($0.number)) } ?? .null,
            "of": entry.map { .integer(Int64($0.count)) } ?? .null, "station": .string(name), "url": .string(url),
        ]
    }
}
