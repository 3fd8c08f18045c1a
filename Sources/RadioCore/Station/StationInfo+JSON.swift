// SPDX-License-Identifier: MIT

package import RadioFormats

extension StationInfo {
    /// The entry of a list that plays: `{number, of, station, url}`; nil without a list.
    package var entryJSON: JSONValue? {
        entry.map { entry in
            [
                "number": .integer(Int64(entry.number)), "of": .integer(Int64(entry.count)), "station": .string(name),
                "url": .string(url),
            ]
        }
    }
}
