// SPDX-License-Identifier: MIT

/// Compares a recording with the signal that was played: one channel each, at the same sample rate.
///
/// Each section is aligned separately: to the sample by correlation, and to a fraction of a sample by least squares
/// over the neighbouring samples, because resamplers delay by fractions. The residual counts as noise.
package struct SignalComparison: Sendable {
    /// One section of the played signal.
    package struct Section: Hashable, Sendable {
        /// The index of its first sample in the played signal.
        package var start: Int
        /// The delay, in samples: the section's position in the recording minus its position in the played signal.
        package var offset: Int
        /// The signal-to-noise ratio in dB.
        package var ratio: Double
    }

    package let sections: [Section]

    /// Compares sections of `length` samples. The first is searched for in the whole recording, each later one near the
    /// previous one. If the ratio there is below 10 dB, the whole recording is searched again. A section for which no
    /// place can be tested is left out.
    ///
    /// - Parameters:
    ///   - played: The expected signal.
    ///   - heard: The recording, including any silence before and after the signal.
    ///   - length: The number of samples per section.
    ///   - reach: The largest deviation, in samples, from the previous section's offset before the whole recording is
    ///     searched.
    package init(played: [Float], heard: [Float], length: Int, reach: Int = 64) {
        var found: [Section] = []
        var start = 0
        while start + length <= played.count {
            let part = Array(played[start..<(start + length)])
            let around = found.last.map { ($0.offset + start - reach)...($0.offset + start + reach) }
            var best = around.flatMap { Self.fit(part, in: heard, at: $0) }
            if best.map({ $0.ratio < 10 }) ?? true {
                let everywhere = Self.find(part, in: heard).flatMap {
                    Self.fit(part, in: heard, at: ($0 - 2 * Self.thinning)...($0 + 2 * Self.thinning))
                }
                if let everywhere, everywhere.ratio > best?.ratio ?? -1000 { best = everywhere }
            }
            if let best { found.append(Section(start: start, offset: best.at - start, ratio: best.ratio)) }
            start += length
        }
        sections = found
    }

    /// The lowest ratio of all sections, in dB; nil if nothing was compared.
    package var worst: Double? { sections.map(\.ratio).min() }

    /// The changes of offset from each section to the next, in samples. Positive if samples were inserted (a filled
    /// drop-out, a repetition), negative if samples were lost.
    package var jumps: [Int] { zip(sections, sections.dropFirst()).map { $1.offset - $0.offset } }

    /// The place at which `part` correlates best, accurate to about ten samples. Both signals are decimated for speed.
    private static func find(_ part: [Float], in heard: [Float]) -> Int? {
        let (needle, hay) = (thinned(part.prefix(16_384)), thinned(heard[...]))
        guard hay.count >= needle.count, needle.contains(where: { $0 != 0 }) else { return nil }
        let products = FourierTransform.correlate(hay, needle)
        var energy = needle.indices.reduce(0.0) { $0 + Double(hay[$1]) * Double(hay[$1]) }
        var (best, score) = (0, -Double.infinity)
        for place in 0...(hay.count - needle.count) {
            let mark = products[place] / max(energy, 1e-3).squareRoot()
            if mark > score { (best, score) = (place, mark) }
            guard place + needle.count < hay.count else { break }
            let (left, entering) = (Double(hay[place]), Double(hay[place + needle.count]))
            energy += entering * entering - left * left
        }
        return best * thinning
    }

    private static let thinning = 8

    private static func thinned(_ values: ArraySlice<Float>) -> [Float] {
        stride(from: values.startIndex, to: values.endIndex - thinning + 1, by: thinning).map { start in
            var sum: Float = 0
            for index in start..<(start + thinning) { sum += values[index] }
            return sum
        }
    }

    /// The best of the given places, and the ratio there.
    private static func fit(
        _ part: [Float], in heard: [Float], at places: ClosedRange<Int>
    ) -> (at: Int, ratio: Double)? {
        let margin = FractionalDelay.reach
        let possible = places.clamped(to: margin...max(margin, heard.count - part.count - margin))
        guard heard.count >= part.count + 2 * margin else { return nil }
        // A short probe selects the place; the full ratio is computed only there.
        let probe = min(part.count, 2048)
        func product(_ place: Int) -> Double { FractionalDelay.product(part, 0, heard, place, count: probe) }
        guard let place = possible.max(by: { product($0) < product($1) }) else { return nil }
        return (place, FractionalDelay.ratio(of: part, in: heard, at: place))
    }
}
