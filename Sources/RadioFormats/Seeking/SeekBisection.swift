// SPDX-License-Identifier: MIT

/// Searches a file for a sample by bisection. It is independent of the format: it requests bytes and is given the
/// candidates found in them.
struct SeekBisection {
    /// An offset, and the sample that begins there.
    struct Candidate: Hashable {
        var offset: Int64
        var sample: Int64
    }

    private(set) var low: Candidate
    private var high: Candidate
    private let target: Int64
    private let chunk: Int
    private var steps = 0
    private(set) var isDone = false
    /// Where the linear scan continues, which has not found a candidate yet; nil while bisecting.
    private var scan: Int64?

    private static let mostSteps = 48
    /// After this many steps, the search bisects instead of interpolating: the bit rate is too uneven.
    private static let mostReckoned = 8
    /// Bytes at the end of a chunk that are read again with the next chunk.
    private static let overlap: Int64 = 32

    init(_ target: Int64, from low: Candidate, to high: Candidate, chunk: Int) {
        (self.low, self.high, self.target, self.chunk) = (low, high, target, chunk)
        isDone = target <= low.sample || high.offset <= low.offset
    }

    var next: FileRead? {
        guard !isDone else { return nil }
        return FileRead(offset: place, count: chunk)
    }

    private var place: Int64 {
        if let scan { return scan }
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
        let isAtLow = start <= low.offset || scan != nil
        let above = candidates.first { $0.sample > target }
        let below = candidates.last { $0.sample <= target && $0.offset > low.offset && $0.sample >= low.sample }
        if let below { low = below }
        if let above, above.offset > low.offset { high = above }
        if steps >= Self.mostSteps || end <= start {
            isDone = true
        } else if above != nil {
            scan = nil
            if below != nil || isAtLow { isDone = true } else { high.offset = min(high.offset, start) }
        } else if end >= high.offset {
            isDone = isAtLow || below != nil
            if !isDone { high.offset = start }
        } else if below != nil {
            scan = nil
        } else if isAtLow {
            scan = max(start + 1, end - Self.overlap)
        } else {
            high.offset = start
        }
        if high.offset <= low.offset { isDone = true }
    }
}
