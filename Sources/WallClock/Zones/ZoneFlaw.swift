// SPDX-License-Identifier: MIT

/// What is wrong with the content of a time zone file. The description is the rest of a sentence about the file.
package enum ZoneFlaw: Error, Hashable, Sendable, CustomStringConvertible {
    /// It does not begin as such files do.
    case notZoneFile
    case version(UInt8)
    /// It has more bytes than a zone needs.
    case tooLong
    /// It ends within a block or its footer.
    case truncated
    /// Its counts contradict each other.
    case counts
    /// Its clock changes are not in ascending order.
    case order
    /// A clock change refers to a local time type that is not there.
    case type
    /// An offset is not less than a day.
    case offset
    /// It counts leap seconds, which clocks of computers do not.
    case leapSeconds
    /// Its rules for the time to come cannot be understood.
    case rules(String)

    package var description: String {
        switch self {
        case .notZoneFile: "is no time zone file"
        case .version(let version): "has an unknown version (byte \(version))"
        case .tooLong: "has more than \(ZoneRules.longestFile / 1024) KiB, which no time zone needs"
        case .truncated: "ends too early"
        case .counts: "has counts that contradict each other"
        case .order: "has clock changes in the wrong order"
        case .type: "has a clock change without an offset"
        case .offset: "has an offset of a day or more"
        case .leapSeconds: "counts leap seconds, unlike the clock of this machine"
        case .rules(let rules): "has rules that cannot be understood: \"\(rules)\""
        }
    }
}
