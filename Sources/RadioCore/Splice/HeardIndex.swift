// SPDX-License-Identifier: MIT

/// An index of the delivered frames: the places of each run of eight frames.
struct HeardIndex: Sendable {
    /// A match of ``length`` consecutive frames, at least ``leastDistinct`` of them distinct, is not a coincidence.
    static let length = 8
    static let leastDistinct = 3

    private(set) var sums = PrefixSums()
    /// Maps each run to its newest place, the index of its last frame. ``before`` links each place to the next older
    /// place of the same run; -1 if there is none.
    private var newest: [UInt64: Int32] = [:]
    private var before: [Int32] = []

    init(_ marks: [FrameMark] = []) {
        for mark in marks { append(mark) }
    }

    mutating func append(_ mark: FrameMark) {
        let place = sums.count
        sums.append(mark.fingerprint)
        guard place >= Self.length - 1 else { return before.append(-1) }
        let key = sums.sum(place + 1 - Self.length..<place + 1)
        before.append(newest.updateValue(Int32(place), forKey: key) ?? -1)
    }

    var count: Int { sums.count }

    /// Whether the last run occurs earlier as well.
    var endsInRepeat: Bool { before.last.map { $0 >= 0 } ?? false }

    /// The key of the last run; nil if its frames are not distinct enough to determine a place.
    var tail: UInt64? { sums.isTelling(upTo: count) ? sums.sum(count - Self.length..<count) : nil }

    /// The places of a run, newest first, at most `most` of them.
    func places(of run: UInt64, most: Int) -> [Int] {
        var places: [Int] = []
        var place = newest[run].map(Int.init) ?? -1
        while place >= 0, places.count < most {
            places.append(place)
            place = Int(before[place])
        }
        return places
    }

    /// The place of a run that was delivered exactly once; nil for any other run.
    func onlyPlace(of run: UInt64) -> Int? {
        newest[run].flatMap { before[Int($0)] < 0 ? Int($0) : nil }
    }
}
