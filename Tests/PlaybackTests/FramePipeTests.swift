// SPDX-License-Identifier: MIT

import Testing

@testable import Playback

@Suite("Frames between the loop and the sound thread")
struct FramePipeTests {
    private let pipe = FramePipe()
    private var batch = PipeBatch()

    private func put() {
        withUnsafeBytes(of: 7) {
            pipe.put($0, number: 0, instant: 0, length: .milliseconds(24), end: .milliseconds(24))
        }
    }

    @Test("A voice that found no frames is woken once, by the next frames")
    mutating func hunger() {
        #expect(!pipe.takeHunger())
        pipe.exchange(&batch)
        #expect(batch.isEmpty && !pipe.takeHunger())
        put()
        #expect(pipe.takeHunger())
        put()
        #expect(!pipe.takeHunger())
        pipe.exchange(&batch)
        #expect(batch.records.count == 2 && !pipe.takeHunger())
    }

    @Test("A voice that has frames left is not woken by more")
    mutating func satisfied() {
        put()
        pipe.exchange(&batch)
        put()
        #expect(!pipe.takeHunger())
        batch.clear()
        pipe.exchange(&batch)
        #expect(batch.records.count == 1 && !pipe.takeHunger())
    }

    @Test("A restart wakes the voice, whatever it waits for")
    mutating func restart() {
        put()
        pipe.exchange(&batch)
        pipe.restart()
        #expect(pipe.takeHunger() && !pipe.takeHunger() && pipe.generation != batch.generation)
        #expect(pipe.takeRestart(&batch) && !pipe.takeRestart(&batch))
        #expect(pipe.generation == batch.generation && batch.isEmpty)
        pipe.exchange(&batch)
        put()
        #expect(pipe.takeHunger())
    }

    @Test("The frames after a restart are not given to a voice that has not taken the restart")
    mutating func untakenRestart() {
        put()
        pipe.exchange(&batch)
        batch.clear()
        pipe.restart()
        put()
        pipe.exchange(&batch)
        #expect(batch.isEmpty && pipe.takeRestart(&batch))
        pipe.exchange(&batch)
        #expect(batch.records.count == 1)
    }

    @Test("An end wakes a waiting voice")
    mutating func end() {
        pipe.exchange(&batch)
        pipe.end()
        #expect(pipe.takeHunger())
    }
}
