// SPDX-License-Identifier: MIT

/// The fades of a tape: gain ramps over numbered samples.
struct GainCurve {
    private struct Ramp {
        var range: Range<Int64>
        var isRising: Bool
    }

    private var ramps: [Ramp] = []

    /// Only a stream with constant discontinuities needs more.
    private static let most = 32

    /// Adds a fade-in that begins at a sample.
    mutating func rise(from number: Int64, over length: Int64) {
        add(Ramp(range: number..<(number + length), isRising: true))
    }

    /// Adds a fade-out that ends before a sample.
    mutating func fall(upTo number: Int64, over length: Int64) {
        add(Ramp(range: (number - length)..<number, isRising: false))
    }

    private mutating func add(_ ramp: Ramp) {
        if ramps.count == Self.most { ramps.removeFirst() }
        ramps.append(ramp)
    }

    /// Forgets ramps that end before a sample.
    mutating func forget(before number: Int64) {
        ramps.removeAll { $0.range.upperBound <= number }
    }

    /// Forgets ramps that reach beyond a sample, because other audio will follow it.
    mutating func cut(at number: Int64) {
        ramps.removeAll { $0.range.upperBound > number }
    }

    /// Whether a ramp covers any of these samples.
    func touches(_ range: Range<Int64>) -> Bool {
        ramps.contains { $0.range.overlaps(range) }
    }

    /// Applies the ramps to interleaved samples; `number` is the number of the first of these samples.
    func apply(to values: UnsafeMutableBufferPointer<Float>, channels: Int, from number: Int64) {
        let samples = number..<(number + Int64(values.count / channels))
        for ramp in ramps where ramp.range.overlaps(samples) {
            let length = Float(ramp.range.count)
            for sample in ramp.range.clamped(to: samples) {
                let part = (Float(sample - ramp.range.lowerBound) + 0.5) / length
                let gain = ramp.isRising ? part : 1 - part
                let offset = Int(sample - number) * channels
                for channel in 0..<channels { values[offset + channel] *= gain }
            }
        }
    }
}
