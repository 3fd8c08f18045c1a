// SPDX-License-Identifier: MIT

/// A stretch of the programme with properties (EXT-X-DATERANGE), such as an advert. All texts are as written.
package struct DateRange: Hashable, Sendable {
    package var id: String
    /// `CLASS`: ranges of one class have the same properties.
    package var category: String?
    package var start: String?
    package var end: String?
    /// The stated length; else the planned one.
    package var duration: Duration?
    /// The names of the attributes that carry a splice of SCTE-35: `SCTE35-OUT` is the beginning of an advert, `SCTE35-IN`
    /// the end, `SCTE35-CMD` any other command.
    package var splices: Set<String>
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
        duration = (attributes["DURATION"] ?? attributes["PLANNED-DURATION"]).flatMap { HLSNumber.seconds($0) }
        splices = Set(attributes.pairs.map(\.name).filter { $0.hasPrefix("SCTE35-") }.prefix(Self.mostAttributes))
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

    private mutating func add(_ other: DateRange) {
        category = category ?? other.category
        start = start ?? other.start
        end = end ?? other.end
        duration = other.duration ?? duration
        splices.formUnion(other.splices)
        attributes.merge(other.attributes) { $1 }
    }
}
