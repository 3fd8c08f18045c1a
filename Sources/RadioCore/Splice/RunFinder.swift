// SPDX-License-Identifier: MIT

import Instants

/// Finds where new frames stand in what was heard: for each place there, how many of the newest frames in sequence are
/// the same as those that end at that place. A value.
///
/// The table of the longest common runs, one row for each new frame. An index says where a frame was heard before, so
/// that one which was not costs next to nothing.
struct RunFinder: Sendable {
    /// One way in which the new frames may stand beside the heard ones.
    struct Candidate: Hashable, Sendable {
        /// Counted from the connection's first frame: how many of its frames were heard, should this be the place.
        var drop: Int
        /// How many of the newest frames in sequence say so.
        var run: Int
        /// How many different ones are among them, counted as far as ``RunFinder/enoughDistinct``.
        var distinct: Int
        /// Whether all frames say so that stand side by side.
        var isFull: Bool
        /// Whether the new frames have come to the end of what was heard: the next one is news.
        var isComplete: Bool
        /// How long before that end the connection's first frame stands.
        var lead: Duration

        /// Enough not to be an accident.
        var isStrong: Bool { run >= RunFinder.enoughFrames && distinct >= RunFinder.enoughDistinct }
    }

    static let enoughFrames = 8
    static let enoughDistinct = 3
    private static let farEnough = 200

    private let heard: [UInt64]
    /// For each place how long the heard frames before it play.
    private let starts: [Int64]
    /// For each place the newest ones, up to it, of the second and of the third kind of frames; -1 where there is none.
    private let kinds: [(second: Int, third: Int)]
    /// For each place the length of the run that ends there with the newest frame.
    private var runs: [Int]
    /// Where each frame was heard.
    private let places: [UInt64: [Int]]
    /// The places where runs end with the newest frame: all others have none.
    private var ends: [Int] = []
    /// The length of the longest of them.
    private(set) var longestRun = 0
    /// New frames so far, and how long they play.
    private(set) var count = 0
    /// How long the new frames before each one play: to say how far the first one leads where it is older than memory.
    private var played: [Int64] = [0]
    /// The places at which the new frames came to the end of what was heard.
    private(set) var complete: [Candidate] = []

    init(_ memory: FrameMemory) {
        let marks = memory.inOrder
        heard = marks.map(\.fingerprint)
        var sum: Int64 = 0
        starts = marks.map { mark in
            defer { sum += Int64(mark.nanoseconds) }
            return sum
        }
        end = sum
        kinds = Self.kinds(heard)
        runs = Array(repeating: 0, count: marks.count)
        places = Dictionary(grouping: heard.indices) { [heard] in heard[$0] }
    }

    /// How long all that was heard plays.
    private let end: Int64

    /// Takes the next frame of the connection.
    mutating func add(_ mark: FrameMark) {
        count += 1
        played.append((played.last ?? 0) + Int64(mark.nanoseconds))
        let found = places[mark.fingerprint] ?? []
        let lengths = found.map { place in place > 0 ? runs[place - 1] + 1 : 1 }
        for place in ends { runs[place] = 0 }
        for (place, length) in zip(found, lengths) { runs[place] = length }
        ends = found
        longestRun = lengths.max() ?? 0
        if let last = runs.last, last > 0 { complete.append(candidate(at: runs.count - 1)) }
    }

    /// The places where the newest frames stand inside of what was heard, and not at its end: those with enough of a
    /// run, or of which all new frames are one.
    var pending: [Candidate] {
        ends.filter { $0 < runs.count - 1 && (runs[$0] >= Self.enoughFrames || runs[$0] == count) }.map(candidate)
    }

    /// At how many places the newest frame was heard.
    var placeCount: Int { ends.count }

    /// The place at the end of what was heard, where the newest frames stand there.
    var completeNow: Candidate? {
        complete.last.flatMap { $0.drop == count ? $0 : nil }
    }

    private func candidate(at place: Int) -> Candidate {
        let run = runs[place]
        let first = place - count + 1
        let lead = first >= 0 ? end - starts[first] : end + played[min(-first, count)]
        return Candidate(
            drop: heard.count - 1 - place + count, run: run, distinct: distinct(endingAt: place, run),
            isFull: run == count || run == place + 1, isComplete: place == heard.count - 1,
            lead: .nanoseconds(lead))
    }

    /// In a silence all are alike, however far one looks.
    private func distinct(endingAt place: Int, _ run: Int) -> Int {
        let first = place - min(run, Self.farEnough) + 1
        return kinds[place].third >= first ? 3 : kinds[place].second >= first ? 2 : 1
    }

    /// One pass, in which the newest places of the last three kinds are kept.
    private static func kinds(_ heard: [UInt64]) -> [(second: Int, third: Int)] {
        var newest: [Int] = []
        return heard.indices.map { place in
            newest.removeAll { heard[$0] == heard[place] }
            newest.insert(place, at: 0)
            if newest.count > enoughDistinct { newest.removeLast() }
            return (newest.count > 1 ? newest[1] : -1, newest.count > 2 ? newest[2] : -1)
        }
    }
}
