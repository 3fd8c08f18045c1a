// SPDX-License-Identifier: MIT

import Foundation

/// How what was heard differs from what was played: one channel each, at the same rate.
///
/// The two are aligned anew for each stretch: to the sample by correlation, and to a fraction of one by least squares
/// with the signal's neighbours, for resamplers delay by fractions. What is left over is noise.
package struct SignalComparison: Sendable {
    /// One stretch of what was played.
    package struct Stretch: Hashable, Sendable {
        /// Where it begins in what was played.
        package var start: Int
        /// How many samples later it was heard than it was played, from the beginnings of both.
        package var offset: Int
        /// Signal to noise, in dB.
        package var ratio: Double
    }

    package let stretches: [Stretch]

    /// Compares stretches of `length` samples. The first is looked for everywhere, the others near the one before:
    /// where one is not there, everywhere again.
    ///
    /// - Parameters:
    ///   - played: What was to be heard.
    ///   - heard: What was heard, silence before and after it and all.
    ///   - length: How many samples of what was played are aligned together.
    ///   - reach: By how many samples a stretch may lie elsewhere than the one before, until all is searched.
    package init(played: [Float], heard: [Float], length: Int, reach: Int = 64) {
        var found: [Stretch] = []
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
            if let best { found.append(Stretch(start: start, offset: best.at - start, ratio: best.ratio)) }
            start += length
        }
        stretches = found
    }

    /// The worst stretch's ratio, in dB; none where nothing was compared.
    package var worst: Double? { stretches.map(\.ratio).min() }

    /// By how many samples the stretches lie apart from where the one before says: more than 0 where something was
    /// inserted (a drop-out that is made up for, a repeat), less where something was lost.
    package var jumps: [Int] { zip(stretches, stretches.dropFirst()).map { $1.offset - $0.offset } }

    /// Where a part correlates best, to about ten samples: both thinned out, for that is quick.
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

    /// The best of several places, and the ratio there.
    private static func fit(
        _ part: [Float], in heard: [Float], at places: ClosedRange<Int>
    ) -> (at: Int, ratio: Double)? {
        let margin = FractionalDelay.reach
        let possible = places.clamped(to: margin...max(margin, heard.count - part.count - margin))
        guard heard.count >= part.count + 2 * margin else { return nil }
        // A short probe says which place it is; only that one is computed in full.
        let probe = min(part.count, 2048)
        func product(_ place: Int) -> Double { FractionalDelay.product(part, 0, heard, place, count: probe) }
        guard let place = possible.max(by: { product($0) < product($1) }) else { return nil }
        return (place, FractionalDelay.ratio(of: part, in: heard, at: place))
    }
}
