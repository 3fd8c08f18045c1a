// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@Suite struct GatheringSizeTests {
    private var size = GatheringSize(time: .seconds(1) / 3)
    private var position = Position(frames: 7, bytes: 100_000, samples: 50_000)

    /// Receives audio for `tenths` tenths of a second, with `bytes` bytes in each. Returns how often the size changed.
    private mutating func receive(tenths: Int, bytes: Int64) -> Int {
        var changes = 0
        for _ in 0..<tenths {
            position.bytes += bytes
            position.samples += 4410
            if size.received(upTo: position, sampleRate: 44_100) { changes += 1 }
        }
        return changes
    }

    @Test("Nothing is gathered before a second of audio has arrived") mutating func firstSecond() {
        let changes = receive(tenths: 10, bytes: 1600)
        #expect(changes == 0)
        #expect(size.bytes == 1)
    }

    @Test("The gathering size for a constant bit rate settles once, on a third of a second")
    mutating func constantRate() {
        let changes = receive(tenths: 600, bytes: 1600)
        #expect(changes == 1)
        #expect(size.bytes == 5333)
    }

    @Test("The second with the fewest bytes determines the gathering size") mutating func leanestSecond() {
        _ = receive(tenths: 100, bytes: 4000)
        #expect(size.bytes == 13_333)
        _ = receive(tenths: 20, bytes: 400)
        #expect(size.bytes == 1333)
        _ = receive(tenths: 100, bytes: 4000)
        #expect(size.bytes == 1333)
    }

    @Test("The gathering size has an upper limit") mutating func limit() {
        _ = receive(tenths: 100, bytes: 1 << 20)
        #expect(size.bytes == 16 * 1024)
    }

    @Test("Sample positions that restart at 0 begin a new second") mutating func restartedSamples() {
        _ = receive(tenths: 100, bytes: 1600)
        position.samples = 0
        let changes = receive(tenths: 100, bytes: 1600)
        #expect(changes == 0)
        #expect(size.bytes == 5333)
    }

    @Test("The gathering time can change at any moment") mutating func changedTime() {
        size.time = .milliseconds(500)
        #expect(size.bytes == 1)
        _ = receive(tenths: 20, bytes: 1600)
        #expect(size.bytes == 8000)
        size.time = .zero
        #expect(size.bytes == 1)
        let changes = receive(tenths: 20, bytes: 1600)
        #expect(changes == 0)
        size.time = .milliseconds(250)
        #expect(size.bytes == 4000)
    }
}
