// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// Tests of the verifier itself: it must accept a good framer, and its splits must lose nothing.
struct FramerVerifierTests {
    @Test("The verifier accepts a framer that accounts for every byte") func goodFramer() {
        var generator = SplitMix64(seed: 7)
        let input = generator.bytes(500)
        let transcript = expectSameEvents(input) { TripletFramer() }
        #expect(transcript.frames.count == 166 && transcript.skipped(.truncated) == 2)
        #expect(transcript.frameBytes == Array(input.prefix(498)))
    }

    @Test("The pieces of every split make up the whole input") func splits() {
        var generator = SplitMix64(seed: 8)
        let input = generator.bytes(10_000)
        for split in [Split.whole, .every(1), .every(7), .at(0), .at(10_000), .at(17), .random(seed: 3)] {
            #expect(split.pieces(of: input[...]).flatMap { $0 } == input, "\(split)")
        }
    }
}

/// A minimal framer: every three bytes are a frame.
private struct TripletFramer: Framer {
    private var buffer: [UInt8] = []
    private var start = 0
    private var consumed: Int64 = 0
    private var saidFormat = false
    private var finished = false

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.removeFirst(start)
        start = 0
        buffer.append(contentsOf: bytes)
    }

    mutating func next() -> FramerEvent? {
        guard start + 3 <= buffer.count else {
            guard finished, start < buffer.count else { return nil }
            defer { start = buffer.count }
            return .skipped(bytes: buffer.count - start, .truncated)
        }
        guard saidFormat else {
            saidFormat = true
            return .format(StreamFormat(codec: .mp3, sampleRate: 44_100, channels: 2))
        }
        defer {
            start += 3
            consumed += 3
        }
        return .frame(Frame(range: start..<start + 3, offset: consumed, samples: 1))
    }

    mutating func finish() { finished = true }

    func withBytes<Result>(of frame: Frame, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[frame.range])) }
    }
}
