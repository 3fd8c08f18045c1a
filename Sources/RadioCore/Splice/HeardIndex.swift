// SPDX-License-Identifier: MIT

/// The frames heard, as numbers, and where each stretch of eight of them stands. A value, made once and then only
/// asked.
struct HeardIndex: Sendable {
    /// This many equal frames in sequence, with this many different ones among them, are no accident.
    static let length = 8
    static let leastDistinct = 3

    let sums: PrefixSums
    /// For each stretch its newest place (that of its last frame), and for each place the next older one of the same
    /// stretch.
    private let newest: [UInt64: Int32]
    private let before: [Int32]

    init(_ marks: [FrameMark]) {
        var sums = PrefixSums()
        for mark in marks { sums.append(mark.fingerprint) }
        var newest: [UInt64: Int32] = [:]
        var before = [Int32](repeating: -1, count: marks.count)
        for place in marks.indices.dropFirst(Self.length - 1) {
            let key = sums.sum(place + 1 - Self.length..<place + 1)
            before[place] = newest.updateValue(Int32(place), forKey: key) ?? -1
        }
        (self.sums, self.newest, self.before) = (sums, newest, before)
    }

    var count: Int { sums.count }

    /// Whether the last stretch stands elsewhere as well.
    var endsInRepeat: Bool { before.last.map { $0 >= 0 } ?? false }

    /// The last stretch, if its frames are different enough to tell.
    var tail: UInt64? { sums.isTelling(upTo: count) ? sums.sum(count - Self.length..<count) : nil }

    /// Where the last frame of a stretch stands, the newest place first, and no more than `most` places.
    func places(of stretch: UInt64, most: Int) -> [Int] {
        var places: [Int] = []
        var place = newest[stretch].map(Int.init) ?? -1
        while place >= 0, places.count < most {
            places.append(place)
            place = Int(before[place])
        }
        return places
    }

    /// Where the last frame of a stretch stands, if there is just one place.
    func onlyPlace(of stretch: UInt64) -> Int? {
        newest[stretch].flatMap { before[Int($0)] < 0 ? Int($0) : nil }
    }
}
