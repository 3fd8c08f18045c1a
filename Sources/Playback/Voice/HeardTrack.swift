// SPDX-License-Identifier: MIT

import Instants

/// Which frame a decoded sample belongs to: for each frame, the number of the sample behind it. Fixed memory; the
/// oldest frames are forgotten. Confined to the sound thread.
struct HeardTrack {
    struct Place {
        /// Number of the first sample behind the frame.
        var sample: Int64
        var frame: Int64
        /// Where it ends in the programme.
        var end: Duration
    }

    private var places: [Place] = []
    private var first = 0
    /// The last place that was forgotten because it was heard: what is said where there is nothing newer.
    private(set) var last = Place(sample: 0, frame: 0, end: .zero)

    /// Samples before this one are of a place that was left; the ones from there on have no frame yet, where ``isBetween``.
    private var cut: Int64 = 0
    private var isBetween = false

    /// As many frames as the history may hold, of codecs with short ones.
    private static let most = 1_024

    init() { places.reserveCapacity(Self.most * 2) }

    mutating func append(_ place: Place) {
        if places.count == Self.most * 2 { compact() }
        if places.count - first >= Self.most { first += 1 }
        places.append(place)
        isBetween = false
    }

    /// Whether what is said of a sample is of the present place.
    func isKnown(_ sample: Int64) -> Bool { sample >= cut && !isBetween }

    /// The frame that a sample belongs to, and how far into the programme the sample is.
    mutating func look(at sample: Int64, rate: Int) -> (frame: Int64, heard: Duration) {
        while first < places.count, places[first].sample <= sample {
            last = places[first]
            first += 1
        }
        guard first < places.count else { return (last.frame, last.end) }
        let next = places[first]
        return (next.frame, next.end - .samples(next.sample - sample, at: rate))
    }

    /// Forgets frames whose samples are dropped before they are heard.
    mutating func cut(at sample: Int64) {
        (cut, isBetween) = (sample, true)
        while places.count > first, let newest = places.last, newest.sample > sample { places.removeLast() }
    }

    /// Samples are counted anew.
    mutating func restart() {
        if let newest = places.last, places.count > first { last = newest }
        places.removeAll(keepingCapacity: true)
        first = 0
        (cut, last.sample) = (0, 0)
    }

    private mutating func compact() {
        places.removeFirst(first)
        first = 0
    }
}
