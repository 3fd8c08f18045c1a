// SPDX-License-Identifier: MIT

import Analysis
import Testing

/// The bit rate of a stream and its mode: constant, average or variable.
struct BitRateMeterTests {
    @Test("There is no bit rate before the first audio, and no mode before one second of it") func nothingYet() {
        var meter = BitRateMeter()
        #expect(meter.bitsPerSecond == nil && meter.mode == nil)
        meter.add(Chunks.chunk(sizes: [417, 418]))
        #expect(meter.mode == nil && meter.bitsPerSecond != nil)
    }

    @Test("Frames that differ only by padding are constant bit rate") func constant() throws {
        var meter = BitRateMeter()
        // At 128 kbit/s and 44.1 kHz, frames have 417 or 418 bytes.
        for _ in 0..<10 { meter.add(Chunks.chunk(sizes: (0..<50).map { $0 % 25 == 0 ? 417 : 418 })) }
        #expect(meter.mode == .constant)
        #expect(abs(try #require(meter.bitsPerSecond) - 128_000) < 100)
    }

    @Test("Frames that differ within seconds of equal size are average bit rate") func average() throws {
        var meter = BitRateMeter()
        for _ in 0..<10 { meter.add(Chunks.chunk(sizes: (0..<50).map { $0 % 2 == 0 ? 300 : 500 })) }
        #expect(meter.mode == .average)
    }

    @Test("Seconds of different size are variable bit rate") func variable() {
        var meter = BitRateMeter()
        for second in 0..<10 {
            meter.add(Chunks.chunk(sizes: Array(repeating: second % 2 == 0 ? 300 : 500, count: 39)))
        }
        #expect(meter.mode == .variable)
    }

    @Test("A new sample rate starts the measurement again") func newSampleRate() {
        var meter = BitRateMeter()
        for second in 0..<4 { meter.add(Chunks.chunk(sizes: Array(repeating: second % 2 == 0 ? 300 : 500, count: 39))) }
        for _ in 0..<4 { meter.add(Chunks.chunk(sizes: Array(repeating: 384, count: 50), sampleRate: 48_000)) }
        #expect(meter.mode == .constant && meter.bitsPerSecond == 128_000)
    }

    @Test("Frames of unknown length in samples give no bit rate") func unknownLength() {
        var meter = BitRateMeter()
        meter.add(Chunks.chunk(sizes: [100, 200], samples: 0))
        #expect(meter.bitsPerSecond == nil && meter.mode == nil)
    }
}
