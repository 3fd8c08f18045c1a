// SPDX-License-Identifier: MIT

/// What is wrong with the content of a time zone file. The description completes a sentence that begins with the file.
package enum ZoneFlaw: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file does not begin like a time zone file.
    case notZoneFile
    case version(UInt8)
    /// The file has more bytes than a zone needs.
    case tooLong
    /// The file ends within a block or its footer.
    case truncated
    /// The counts in a header contradict each other.
    case counts
    /// The clock changes are not in ascending order.
    case order
    /// A clock change refers to a local time type that does not exist.
    case type
    /// An offset is a day or more.
    case offset
    /// The file counts leap seconds, unlike the clocks of computers.
    case leapSeconds
    /// The rules for the time after the last change cannot be understood.
    case rules(String)

    package var description: String {
        switch self {
        case .notZoneFile: "is not a time zone file"
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
