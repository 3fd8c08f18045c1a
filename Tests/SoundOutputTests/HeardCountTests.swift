// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import SoundOutput

struct HeardCountTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    /// The count of a running stream at 1000 Hz, to which one second was written.
    private func running() -> HeardCount {
        var count = HeardCount(rate: 1000)
        count.setRunning(true, at: start)
        count.wrote(1000, rewind: 0)
        return count
    }

    @Test("The count of heard samples follows the clock between two server reports, up to the samples written")
    func interpolates() {
        var count = running()
        #expect(count.heard(at: start + .seconds(1)) == 0)
        count.learn(taken: 300, ahead: .milliseconds(100), isPlaying: true, at: start)
        #expect(count.heard(at: start) == 200)
        #expect(count.heard(at: start + .milliseconds(250)) == 450)
        #expect(count.heard(at: start + .seconds(100)) == 1000)
        #expect(count.instant(of: 1000) == start + .milliseconds(800))
    }

    @Test("The count of heard samples never decreases")
    func isMonotonic() {
        var count = running()
        count.learn(taken: 300, ahead: .zero, isPlaying: true, at: start)
        let later = start + .milliseconds(500)
        count.learn(taken: 700, ahead: .milliseconds(200), isPlaying: true, at: later)
        #expect(count.heard(at: later) == 800)
        #expect(count.heard(at: later + .milliseconds(400)) == 900)
        count.wrote(0, rewind: 500)
        #expect(count.written >= count.heard(at: later))
    }

    @Test("A paused stream takes no more samples, and those already taken are heard")
    func stands() {
        var count = running()
        count.learn(taken: 300, ahead: .milliseconds(100), isPlaying: true, at: start)
        let pause = start + .milliseconds(50)
        count.setRunning(false, at: pause)
        #expect(count.heard(at: pause + .seconds(5)) == 250)
        count.learn(taken: 320, ahead: .milliseconds(40), isPlaying: false, at: pause)
        #expect(count.heard(at: pause + .milliseconds(10)) == 290)
        #expect(count.heard(at: pause + .seconds(5)) == 320 && count.instant(of: 1000) == nil)
    }

    @Test("Another rate applies from its instant on")
    func rate() {
        var count = running()
        count.learn(taken: 100, ahead: .zero, isPlaying: true, at: start)
        count.setRate(2000, at: start + .milliseconds(100))
        #expect(count.heard(at: start + .milliseconds(200)) == 400)
    }

    @Test("Silence after the end is not counted, whether it was played or taken back")
    func padding() {
        var count = running()
        count.learn(taken: 900, ahead: .zero, isPlaying: true, at: start)
        count.padded(20)
        // Playback has not reached the silence, so the server takes back all of it.
        #expect(count.takePadding(at: start + .milliseconds(50)) == 20)
        #expect(count.takePadding(at: start + .milliseconds(50)) == 0)
        #expect(count.sample(ofServer: 1000) == 1000)
        // Playback has reached part of the silence.
        count.padded(20)
        #expect(count.heard(at: start + .milliseconds(105)) == 1000)
        #expect(count.takePadding(at: start + .milliseconds(105)) == 15)
        #expect(count.sample(ofServer: 1005) == 1000)
        #expect(count.heard(at: start + .milliseconds(105)) == 1000)
        count.wrote(500, rewind: 0)
        #expect(count.heard(at: start + .milliseconds(205)) == 1100)
        count.learn(taken: 1205, ahead: .zero, isPlaying: true, at: start + .milliseconds(205))
        #expect(count.heard(at: start + .milliseconds(205)) == 1200)
        // Playback has reached all of the silence.
        count.padded(20)
        count.finished()
        #expect(count.heard(at: start + .milliseconds(205)) == 1500 && count.written == 1500)
        #expect(count.sample(ofServer: 1525) == 1500 && count.takePadding(at: start + .seconds(9)) == 0)
        count.wrote(500, rewind: 0)
        #expect(count.heard(at: start + .seconds(1)) == 1500)
        count.learn(taken: 1725, ahead: .zero, isPlaying: true, at: start + .seconds(1))
        #expect(count.heard(at: start + .seconds(1)) == 1700)
    }

    @Test("A paused stream plays no silence")
    func paddingOfPause() {
        var count = running()
        count.learn(taken: 1000, ahead: .zero, isPlaying: true, at: start)
        count.padded(20)
        count.setRunning(false, at: start)
        #expect(count.takePadding(at: start + .seconds(5)) == 20)
    }
}
