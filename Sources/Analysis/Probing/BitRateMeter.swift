// SPDX-License-Identifier: MIT

package import RadioCore
import RadioFormats

/// Measures the bit rate of a stream, and classifies it by the sizes of its frames.
///
/// Constant: frame sizes differ by padding only (up to 4 bytes). Average: frame sizes differ, but every second is
/// within 10 % of the mean. Variable: anything else. A stream rarely states its mode; the meter reports what the stream
/// does.
package struct BitRateMeter {
    package enum Mode: String, Sendable, Hashable {
        case constant = "CBR"
        case average = "ABR"
        case variable = "VBR"
    }

    private var smallest = Int.max
    private var largest = 0
    private var bytes: Int64 = 0
    private var samples: Int64 = 0
    private var sampleRate = 0
    /// The bytes and samples of the current second.
    private var secondBytes: Int64 = 0
    private var secondSamples: Int64 = 0
    /// The bit rate of each complete second so far, at most 3,600 of them.
    private var seconds: [Double] = []

    private static let padding = 4
    private static let closeness = 0.1

    package init() {}

    package mutating func add(_ chunk: Chunk) {
        if chunk.format.sampleRate != sampleRate {
            self = BitRateMeter()
            sampleRate = chunk.format.sampleRate
        }
        for index in chunk.frames {
            let size = chunk.slab.range(ofFrame: index).count
            smallest = min(smallest, size)
            largest = max(largest, size)
            add(Int64(size), chunk.slab.samples(ofFrames: index..<index + 1))
        }
    }

    private mutating func add(_ size: Int64, _ length: Int64) {
        bytes += size
        samples = samples.addingSaturated(length)
        secondBytes += size
        secondSamples = secondSamples.addingSaturated(length)
        guard secondSamples >= Int64(sampleRate), seconds.count < 3_600 else { return }
        seconds.append(Double(secondBytes * 8) * Double(sampleRate) / Double(secondSamples))
        secondBytes = 0
        secondSamples = 0
    }

    /// The mean bit rate in bits per second; nil before the first frame.
    package var bitsPerSecond: Double? {
        samples > 0 ? Double(bytes * 8) * Double(sampleRate) / Double(samples) : nil
    }

    /// Nil until one second is complete.
    package var mode: Mode? {
        guard let mean = bitsPerSecond, !seconds.isEmpty else { return nil }
        if largest - smallest <= Self.padding { return .constant }
        return seconds.allSatisfy { abs($0 - mean) <= mean * Self.closeness } ? .average : .variable
    }
}
