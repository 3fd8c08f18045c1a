// SPDX-License-Identifier: MIT

import Instants
import Stations
import Testing

@testable import aircheck

struct ProbeWaitingTests {
    private let begin = MonotonicInstant(nanoseconds: 0)

    @Test("The live line counts the seconds")
    func live() {
        let waiting = ProbeWaiting(since: begin)
        #expect(waiting.live(.awaitingAudio, at: begin + .milliseconds(3_900)) == "waiting for audio … 3 s")
        #expect(waiting.live(.delivering, at: begin + .seconds(5)) == "listening for a few seconds … 5 s")
    }

    @Test("A log gets one line, after two seconds")
    func line() {
        var waiting = ProbeWaiting(since: begin)
        #expect(waiting.line(.connecting, at: begin + .milliseconds(1_999)) == nil)
        #expect(waiting.line(.awaitingAudio, at: begin + .seconds(2)) == "waiting for audio …")
        #expect(waiting.line(.awaitingAudio, at: begin + .seconds(9)) == nil)
    }
}
