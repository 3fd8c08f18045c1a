// SPDX-License-Identifier: MIT

import Testing

@testable import Playback
@testable import RadioCore

/// When a loss of sound is reported.
struct SoundWatchTests {
    private static func status(_ state: PlaybackState, _ failure: Failure? = nil) -> PlaybackStatus {
        var status = PlaybackStatus()
        status.state = state
        status.error = failure.map { PlaybackError(.output, $0) }
        return status
    }

    private static func failure(_ message: String) -> Failure { Failure(.sound, message, remedy: "wait") }

    @Test("A loss of sound is reported once, with its first cause, and ends when sound plays again") func reportedOnce()
    {
        var watch = SoundWatch()
        let gone = Self.failure("the sound server is gone")
        #expect(watch.note(Self.status(.playing)) == nil)
        #expect(watch.note(Self.status(.rebuffering(.outputLost), gone)) == .lost(gone))
        #expect(watch.note(Self.status(.opening, Self.failure("no sound server answers"))) == nil)
        #expect(watch.note(Self.status(.prebuffering)) == nil)
        #expect(watch.note(Self.status(.playing)) == .back)
        #expect(watch.note(Self.status(.playing)) == nil)
        #expect(watch.note(Self.status(.rebuffering(.outputLost), gone)) == .lost(gone))
    }

    @Test("A start without a sound server is a loss of sound, a slow station is not") func missingServer() {
        var watch = SoundWatch()
        #expect(watch.note(Self.status(.opening)) == nil)
        #expect(watch.note(Self.status(.rebuffering(.stalled))) == nil)
        let none = Self.failure("no sound server answers")
        #expect(watch.note(Self.status(.opening, none)) == .lost(none))
        #expect(watch.note(Self.status(.stopped)) == nil)
    }
}
