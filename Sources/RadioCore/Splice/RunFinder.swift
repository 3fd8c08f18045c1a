// SPDX-License-Identifier: MIT

import Instants

/// Finds where new frames stand in what was heard: for each place there, how many of the newest frames in sequence are
/// the same as those that end at that place. A value.
///
/// The table of the longest common runs, one row for each new frame. An index says where a frame was heard before, so
/// that one which was not costs next to nothing. Equal frames in a row are one stretch, along which runs grow one by one:
/// a silence costs as much as one frame.
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

    /// A frame stands in no more stretches than that: of one that does, the oldest are forgotten.
    static let mostStretches = 1 << 11

    /// Equal frames in a row.
    private struct Stretch {
        /// The place of the first one.
        let first: Int
        var count = 1
        /// The newest stretch of new frames like these, by its number.
        var beside = -1
        /// The length of the run that ended right before these when that one began.
        var before = 0

        var last: Int { first + count - 1 }
    }

    /// For each place how long the heard frames before it play.
    private let starts: [Int64]
    /// How long all that was heard plays.
    private let end: Int64
    /// For each place the newest ones, up to it, of the second and of the third kind of frames; -1 where there is none.
    private let kinds: [(second: Int, third: Int)]
    /// What was heard, in order.
    private var stretches: [Stretch]
    /// Of which stretches each frame is.
    private let index: [UInt64: [Int]]
    /// The newest new frame, how many like it have come in a row, and the number of their stretch.
    private var newest: UInt64?
    private var alike = 0
    private var number = 0
    /// The stretches of frames like the newest one: runs end in no others.
    private(set) var found: [Int] = []
    /// New frames so far, and how long they play.
    private(set) var count = 0
    /// How long the new frames before each one play: to say how far the first one leads where it is older than memory.
    private var played: [Int64] = [0]
    /// The places at which the new frames came to the end of what was heard.
    private(set) var complete: [Candidate] = []

    init(_ memory: FrameMemory) {
        let marks = memory.inOrder
        var sum: Int64 = 0
        starts = marks.map { mark in
            defer { sum += Int64(mark.nanoseconds) }
            return sum
        }
        end = sum
        let heard = marks.map(\.fingerprint)
        kinds = Self.kinds(heard)
        let stretches = Self.stretches(heard)
        index = Dictionary(grouping: stretches.indices) { heard[stretches[$0].first] }
            .mapValues { Array($0.suffix(Self.mostStretches)) }
        self.stretches = stretches
    }

    /// Takes the next frame of the connection.
    mutating func add(_ mark: FrameMark) {
        count += 1
        played.append((played.last ?? 0) + Int64(mark.nanoseconds))
        if newest == mark.fingerprint { alike += 1 } else { begin(mark.fingerprint) }
        if let last = stretches.last, last.beside == number {
            complete.append(candidate(at: last.last, run: run(upTo: last.last, in: last)))
        }
    }

    /// The new frames go on with another one than before.
    private mutating func begin(_ fingerprint: UInt64) {
        found = index[fingerprint] ?? []
        // What stands before them is of other frames, and was found for the newest one if for any.
        for stretch in found where stretch > 0 {
            let previous = stretches[stretch - 1]
            stretches[stretch].before = previous.beside == number ? run(upTo: previous.last, in: previous) : 0
        }
        number += 1
        for stretch in found { stretches[stretch].beside = number }
        (newest, alike) = (fingerprint, 1)
    }

    /// The length of the run that ends at a place of a stretch which was found. Where both are equally long up to here,
    /// what stands before them counts.
    private func run(upTo place: Int, in stretch: Stretch) -> Int {
        let heard = place - stretch.first + 1
        return heard == alike ? alike + stretch.before : min(heard, alike)
    }

    /// The length of the longest run that ends with the newest frame.
    var longestRun: Int { found.reduce(0) { max($0, longestRun(in: stretches[$1])) } }

    private func longestRun(in stretch: Stretch) -> Int {
        stretch.count < alike ? stretch.count : alike + stretch.before
    }

    /// The places where the newest frames stand inside of what was heard, and not at its end: those with enough of a
    /// run, or of which all new frames are one. In a silence that may be every place; not so where only those are asked
    /// for that are no accident.
    func pending(onlyStrong: Bool = false) -> [Candidate] {
        let enough = min(Self.enoughFrames, count)
        var candidates: [Candidate] = []
        for stretch in found.lazy.map({ stretches[$0] }) where longestRun(in: stretch) >= enough {
            for place in stretch.first...stretch.last where place < starts.count - 1 {
                let run = run(upTo: place, in: stretch)
                guard run >= enough else { continue }
                let candidate = candidate(at: place, run: run)
                if candidate.isStrong || !onlyStrong { candidates.append(candidate) }
            }
        }
        return candidates
    }

    /// At how many places the newest frame was heard.
    var placeCount: Int { found.reduce(0) { $0 + stretches[$1].count } }

    /// The place at the end of what was heard, where the newest frames stand there.
    var completeNow: Candidate? {
        complete.last.flatMap { $0.drop == count ? $0 : nil }
    }

    private func candidate(at place: Int, run: Int) -> Candidate {
        let first = place - count + 1
        let lead = first >= 0 ? end - starts[first] : end + played[min(-first, count)]
        return Candidate(
            drop: starts.count - 1 - place + count, run: run, distinct: distinct(endingAt: place, run),
            isFull: run == count || run == place + 1, isComplete: place == starts.count - 1,
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

    private static func stretches(_ heard: [UInt64]) -> [Stretch] {
        var stretches: [Stretch] = []
        for place in heard.indices {
            if place > 0, heard[place] == heard[place - 1] {
                stretches[stretches.count - 1].count += 1
            } else {
                stretches.append(Stretch(first: place))
            }
        }
        return stretches
    }
}
