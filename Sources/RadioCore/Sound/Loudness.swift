// SPDX-License-Identifier: MIT

/// The loudness of each channel in a piece of audio; 1 is full scale.
package struct Loudness: Hashable, Sendable {
    package struct Channel: Hashable, Sendable {
        /// The root mean square.
        package var rms: Float
        /// The largest absolute value.
        package var peak: Float

        package init(rms: Float = 0, peak: Float = 0) {
            self.rms = rms
            self.peak = peak
        }

        /// Converts an rms or peak value to decibels relative to full scale; -100 for silence and anything below.
        package static func decibels(_ value: Float) -> Double {
            guard value > 1e-5 else { return -100 }
            return 8.685_889_638 * naturalLogarithm(Double(value))
        }
    }

    package var channels: [Channel]

    /// Adds the loudness of audio that is this share of both. `other` has as many channels.
    package mutating func merge(_ other: Loudness, share: Float) {
        for (index, channel) in zip(channels.indices, other.channels) {
            let squares = channels[index].rms * channels[index].rms * (1 - share) + channel.rms * channel.rms * share
            channels[index].rms = squares.squareRoot()
            channels[index].peak = max(channels[index].peak, channel.peak)
        }
    }
}

/// Measures the loudness of audio that arrives in pieces. ``add(_:)`` allocates nothing.
package struct LoudnessMeter: Sendable {
    private var squares: [Double]
    private var peaks: [Float]
    private var count = 0

    package init(channels: Int) {
        squares = Array(repeating: 0, count: max(0, channels))
        peaks = Array(repeating: 0, count: max(0, channels))
    }

    package var channels: Int { squares.count }
    /// The number of samples since the last ``take()``.
    package var samples: Int { count }

    /// Adds interleaved samples with as many channels as the meter has. NaN and infinity count as silence.
    package mutating func add(_ values: UnsafeBufferPointer<Float>) {
        let channels = squares.count
        guard channels > 0 else { return }
        let whole = values.count / channels
        for channel in 0..<channels {
            var (sum, peak): (Float, Float) = (0, 0)
            var index = channel
            for _ in 0..<whole {
                let value = values[index]
                let size = abs(value)
                if size <= .greatestFiniteMagnitude {
                    sum += value * value
                    if size > peak { peak = size }
                }
                index += channels
            }
            squares[channel] += Double(sum)
            peaks[channel] = max(peaks[channel], peak)
        }
        count += whole
    }

    /// Returns the loudness since the last call, and starts anew; nil if no samples were added.
    package mutating func take() -> Loudness? {
        guard count > 0 else { return nil }
        let channels = zip(squares, peaks).map { square, peak in
            Loudness.Channel(rms: Float((square / Double(count)).squareRoot()), peak: peak)
        }
        for index in squares.indices { (squares[index], peaks[index]) = (0, 0) }
        count = 0
        return Loudness(channels: channels)
    }
}

/// The natural logarithm of a positive number, to about 1e-9: the standard library has none.
private func naturalLogarithm(_ value: Double) -> Double {
    let exponent = value.exponent
    // The series converges fast near one: ln(m) = 2 artanh((m − 1) / (m + 1)) for m from 1 to 2.
    let ratio = (value.significand - 1) / (value.significand + 1)
    let square = ratio * ratio
    var (term, sum) = (ratio, 0.0)
    for power in 0..<12 {
        sum += term / Double(2 * power + 1)
        term *= square
    }
    return 2 * sum + Double(exponent) * 0.693_147_180_559_945_3
}
