// SPDX-License-Identifier: MIT

/// A file of the time zone database that lists zones. The most complete list is the first case.
enum ZoneList: String, CaseIterable {
    /// The source of all zones: `Z Europe/Berlin …` is a zone, `L Europe/Berlin Arctic/Longyearbyen` a link to it.
    case source = "tzdata.zi"
    /// Zones by country; their names are in the third of the tab-separated columns.
    case places = "zone1970.tab"
    case oldPlaces = "zone.tab"

    /// The maximum size of a list in bytes. The largest list has less than 128 KiB.
    static let longest = 1_048_576
    private static let mostNames = 5000

    /// The names in the content of the file, in its order.
    func names(in bytes: [UInt8]) -> [String] {
        var names: [String] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) where names.count < Self.mostNames {
            if let name = name(in: line) { names.append(String(decoding: name, as: UTF8.self)) }
        }
        return names
    }

    private func name(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        switch self {
        case .source:
            let column =
                switch line.first {
                case UInt8(ascii: "Z"): 1
                case UInt8(ascii: "L"): 2
                default: 0
                }
            guard column > 0 else { return nil }
            return Self.column(column, of: line.split(separator: UInt8(ascii: " "), maxSplits: 3))
        case .places, .oldPlaces:
            guard line.first != UInt8(ascii: "#") else { return nil }
            return Self.column(2, of: line.split(separator: UInt8(ascii: "\t"), maxSplits: 3))
        }
    }

    private static func column(_ column: Int, of words: [ArraySlice<UInt8>]) -> ArraySlice<UInt8>? {
        column < words.count ? words[column] : nil
    }
}
