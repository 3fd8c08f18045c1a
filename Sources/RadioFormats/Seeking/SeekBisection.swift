// SPDX-License-Identifier: MIT

/// Searches a file for a sample by bisection. It is independent of the format: it requests bytes and is given the
/// candidates found in them.
///
/// The target never begins before ``low``, and never at or behind `high`. What is sought is the last candidate before
/// it, which is `low` once all bytes from there to a later candidate, or to `high`, have been read.
struct SeekBisection {
    /// An offset, and the sample that begins there.
    struct Candidate: Hashable {
        var offset: Int64
        var sample: Int64
    }

    private enum Phase {
        /// Reads somewhere between `low` and `high`.
        case searching
        /// Reads on from this place: there is no candidate between `low` and it.
        case scanning(at: Int64)
        case done
    }

    private(set) var low: Candidate
    private var high: Candidate
    private let target: Int64
    private let chunk: Int
    private var steps = 0
    private var phase = Phase.searching

    private static let mostSteps = 48
    /// After this many steps, the search bisects instead of interpolating: the bit rate is too uneven.
    private static let mostReckoned = 8
    /// Bytes at the end of a chunk that are read again with the next chunk.
    private static let overlap: Int64 = 32

    init(_ target: Int64, from low: Candidate, to high: Candidate, chunk: Int) {
        (self.low, self.high, self.target, self.chunk) = (low, high, target, chunk)
        if target <= low.sample || high.offset <= low.offset { phase = .done }
    }

    var next: FileRead? {
        switch phase {
        case .searching: FileRead(offset: guess, count: chunk)
        case .scanning(let place): FileRead(offset: place, count: chunk)
        case .done: nil
        }
    }

    private var guess: Int64 {
        let span = high.offset - low.offset
        guard span > Int64(chunk) else { return low.offset }
        var share = 0.5
        if steps < Self.mostReckoned, high.sample > low.sample {
            // Computed in `Double`, because the difference of untrusted sample numbers may overflow an integer.
            share = (Double(target) - Double(low.sample)) / (Double(high.sample) - Double(low.sample))
        }
        let place = Int64(clampingRounded: Double(span) * min(1, max(0, share))) - Int64(chunk / 2)
        return low.offset + min(max(0, place), span - Int64(chunk))
    }

    /// Takes the candidates found in the requested bytes, in order. `end` is the end of the bytes actually read.
    mutating func take(_ candidates: [Candidate], from start: Int64, to end: Int64) {
        steps += 1
        let above = candidates.first { $0.sample > target }
        let below = candidates.last { $0.sample <= target && $0.offset > low.offset && $0.sample >= low.sample }
        // Whether all bytes from the old `low` to `end` have been read.
        var isRead = start <= low.offset
        if case .scanning = phase { isRead = true }
        if let below { low = below }
        if let above, above.offset > low.offset { high = above }
        if steps >= Self.mostSteps || end <= start {
            phase = .done
        } else if above != nil || end >= high.offset, below != nil || isRead {
            phase = .done
        } else if below != nil {
            phase = .searching
        } else if isRead {
            phase = .scanning(at: max(start + 1, end - Self.overlap))
        } else {
            high.offset = min(high.offset, start)
        }
        if high.offset <= low.offset { phase = .done }
    }
}
