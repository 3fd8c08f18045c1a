// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@Suite("Loudness")
struct LoudnessTests {
    @Test("Each channel has its own mean and peak, however the samples are split")
    func channels() {
        var values: [Float] = []
        for index in 0..<1_000 { values += [index % 2 == 0 ? 0.5 : -0.5, index == 7 ? -0.9 : 0] }
        for pieces in [[2_000], [2, 998, 1_000], Array(repeating: 2, count: 1_000)] {
            var meter = LoudnessMeter(channels: 2)
            var start = 0
            for count in pieces {
                values[start..<(start + count)].withUnsafeBufferPointer { meter.add($0) }
                start += count
            }
            let loudness = meter.take()
            #expect(loudness?.channels.count == 2)
            #expect(abs((loudness?.channels[0].rms ?? 0) - 0.5) < 1e-6)
            #expect(loudness?.channels[0].peak == 0.5 && loudness?.channels[1].peak == 0.9)
            #expect(meter.take() == nil)
        }
    }

    @Test("Samples that are not numbers count as silence")
    func notNumbers() {
        var meter = LoudnessMeter(channels: 1)
        [Float.nan, .infinity, -.infinity, 0.25].withUnsafeBufferPointer { meter.add($0) }
        let channel = meter.take()?.channels[0]
        #expect(channel?.peak == 0.25 && channel?.rms == 0.125)
    }

    @Test(
        "Sound levels are converted to decibels, with silence at -100 dB",
        arguments: [(1.0, 0.0), (0.5, -6.0206), (0.1, -20.0), (2.0, 6.0206), (0.001, -60.0), (0.0, -100.0)])
    func decibels(value: Double, expected: Double) {
        #expect(abs(Loudness.Channel.decibels(Float(value)) - expected) < 0.001)
    }
}
