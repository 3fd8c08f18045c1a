// SPDX-License-Identifier: MIT

package import RadioFormats

extension StationInfo {
    /// The entry of a list that plays, or another station at the user's address: `{number, of, station, url}`. Without
    /// a list, the numbers are null. Nil if the user's station plays, without a list.
    package var entryJSON: JSONValue? {
        guard entry != nil || standsIn else { return nil }
        return .object(["number": entry?.number, "of": entry?.count, "station": name, "url": url])
    }
}
