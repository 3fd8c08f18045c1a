// SPDX-License-Identifier: MIT

/// The order in which people expect names: `2.mp3` before `10.mp3`, regardless of case.
enum NaturalOrder {
    static func sorted(_ names: [String]) -> [String] {
        names.map { (key: key($0), name: $0) }
            .sorted { $0.key == $1.key ? $0.name < $1.name : $0.key.lexicographicallyPrecedes($1.key) }
            .map(\.name)
    }

    /// A sort key of bytes: each number becomes a zero, the count of its digits, and its digits.
    private static func key(_ name: String) -> [UInt8] {
        var key: [UInt8] = []
        var rest = Array(name.lowercased().utf8)[...]
        while let byte = rest.first {
            let digits = rest.prefix { isDigit($0) }
            guard !digits.isEmpty else {
                key.append(byte)
                rest = rest.dropFirst()
                continue
            }
            let number = digits.drop { $0 == zero }
            key += [zero, UInt8(clamping: number.count)]
            key += number
            rest = rest.dropFirst(digits.count)
        }
        return key
    }

    private static let zero = UInt8(ascii: "0")

    private static func isDigit(_ byte: UInt8) -> Bool { (zero...UInt8(ascii: "9")).contains(byte) }
}
