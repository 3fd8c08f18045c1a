// SPDX-License-Identifier: MIT

import Decoding
import RadioCore
import RadioFormats

/// Gathers the PCM of one run of frames into windows.
struct WindowMeter {
    let format: PCMFormat
    private var meter: LoudnessMeter
    private var crossings: CrossingCounter
    /// The instant at which the current window begins, in samples of the stream; nil before its first PCM.
    private var first: Int64?

    /// The least playing time of a window in seconds. A frame of most codecs is longer, and is a window of its own.
    private static let least = 0.02

    init(_ format: PCMFormat) {
        self.format = format
        meter = LoudnessMeter(channels: format.channels)
        crossings = CrossingCounter(channels: format.channels)
    }

    /// The window that a block completes: its instants in samples of the stream, and what it sounds like.
    struct Measured {
        var instants: Range<Int64>
        var loudness: Loudness
        var crossings: Double
    }

    /// Adds a block of ``format``. `rate` is the stream's sample rate, in which instants count.
    mutating func add(_ block: PCMBlock, streamRate rate: Int) -> Measured? {
        let start = first ?? block.instant
        first = start
        meter.add(block.values)
        crossings.add(block.values)
        let length = Double(meter.samples) / Double(format.sampleRate)
        guard length >= Self.least else { return nil }
        let end = block.instant.addingSaturated(Int64(block.count) * Int64(rate) / Int64(format.sampleRate))
        first = nil
        let counts = crossings.take()
        guard let loudness = meter.take(), start < end else { return nil }
        let loudest = loudness.channels.indices.max { loudness.channels[$0].rms < loudness.channels[$1].rms }
        return Measured(
            instants: start..<end, loudness: loudness, crossings: loudest.map { Double(counts[$0]) / length } ?? 0)
    }
}

/// Counts the changes of sign in each channel of audio that arrives in pieces.
private struct CrossingCounter {
    private var counts: [Int]
    private var areNegative: [Bool]

    init(channels: Int) {
        counts = Array(repeating: 0, count: channels)
        areNegative = Array(repeating: false, count: channels)
    }

    mutating func add(_ values: UnsafeBufferPointer<Float>) {
        let channels = counts.count
        for channel in 0..<channels {
            var (count, wasNegative) = (0, areNegative[channel])
            for index in stride(from: channel, to: values.count, by: channels) {
                let isNegative = values[index] < 0
                if isNegative != wasNegative { count += 1 }
                wasNegative = isNegative
            }
            counts[channel] += count
            areNegative[channel] = wasNegative
        }
    }

    mutating func take() -> [Int] {
        defer { counts = Array(repeating: 0, count: counts.count) }
        return counts
    }
}
