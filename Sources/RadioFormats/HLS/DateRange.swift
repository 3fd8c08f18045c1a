// SPDX-License-Identifier: MIT

/// A stretch of the programme with properties (EXT-X-DATERANGE), such as an advert. All texts are as written.
package struct DateRange: Hashable, Sendable {
    package var id: String
    /// `CLASS`: ranges of one class have the same properties.
    package var category: String?
    package var start: String?
    package var end: String?
    package var duration: Duration?
    package var plannedDuration: Duration?
    /// Whether the next range of the class ends this one.
    package var endsOnNext: Bool
    /// Whether a command of SCTE-35 begins a break with the range (`SCTE35-OUT`), and whether one ends it
    /// (`SCTE35-IN`). Another command (`SCTE35-CMD`) counts for what it says.
    package var (beginsBreak, endsBreak): (Bool, Bool)
    /// The attributes whose names begin with `X-`.
    package var attributes: [String: String]

    private static let mostAttributes = 32
    private static let longestText = 1024

    /// Nil without an id.
    init?(_ attributes: HLSAttributes, _ addresses: inout HLSAddresses) {
        func text(_ name: String) -> String? {
            attributes[name].map { addresses.filled($0, toBytes: Self.longestText) }
        }
        guard let id = text("ID") else { return nil }
        self.id = id
        (category, start, end) = (text("CLASS"), text("START-DATE"), text("END-DATE"))
        duration = attributes["DURATION"].flatMap { HLSNumber.seconds($0) }
        plannedDuration = attributes["PLANNED-DURATION"].flatMap { HLSNumber.seconds($0) }
        endsOnNext = attributes["END-ON-NEXT"] == "YES"
        let command = attributes["SCTE35-CMD"].flatMap { SpliceCommand(text: $0.utf8) }
        beginsBreak = attributes["SCTE35-OUT"] != nil || command == .begins
        endsBreak = attributes["SCTE35-IN"] != nil || command == .ends
        let own = attributes.pairs.filter { $0.name.hasPrefix("X-") }.prefix(Self.mostAttributes)
        self.attributes = Dictionary(
            own.map { ($0.name, addresses.filled($0.value, toBytes: Self.longestText)) }, uniquingKeysWith: { $1 })
    }

    /// One range for each id, in the order of the first. Later tags with an id add to the range.
    static func merged(_ ranges: some Sequence<DateRange>) -> [DateRange] {
        var merged: [DateRange] = []
        var places: [String: Int] = [:]
        for range in ranges {
            guard let place = places[range.id] else {
                places[range.id] = merged.count
                merged.append(range)
                continue
            }
            merged[place].add(range)
        }
        return merged
    }

    /// Adds what a later tag with the id says. Its end and its lengths count.
    private mutating func add(_ other: DateRange) {
        category = category ?? other.category
        start = start ?? other.start
        end = other.end ?? end
        duration = other.duration ?? duration
        plannedDuration = other.plannedDuration ?? plannedDuration
        endsOnNext = endsOnNext || other.endsOnNext
        beginsBreak = beginsBreak || other.beginsBreak
        endsBreak = endsBreak || other.endsBreak
        attributes.merge(other.attributes) { $1 }
    }
}
