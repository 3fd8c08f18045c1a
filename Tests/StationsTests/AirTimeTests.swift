// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Stations
import TestSupport
import TestTools
import Testing

/// When a frame was on air, seen through a real connection.
struct AirTimeTests {
    @Test("The frames of a burst are dated back to within 50 ms of their air time") func burst() async throws {
        // 417 bytes play 1,152 samples: 15,963 bytes a second.
        let bytesPerSecond = 417 * 44_100 / 1_152
        let programme = SampleProgramme(270)
        let burst = 153
        let gate = Gate()
        let origin = try ScriptedOrigin([
            .request, .icyHead(), .send(programme.frames(0..<burst)), .open(gate),
            .pace(programme.frames(burst..<270), bytesPerSecond: bytesPerSecond), .stall(Gate()),
        ])
        let rig = try StationRig(.patient([origin.url()]))
        defer { rig.close() }
        #expect(try await onThread { gate.wait(within: .seconds(60)) })
        let latestEdge = MonotonicInstant.now
        let heard = try await rig.wait { $0.airTimes.last?.isSettled == true && $0.frames >= burst + 76 }
        #expect(heard.airTimes.first?.isSettled == false)
        // The burst's end was live at some moment between these two.
        let earliestEdge = try #require(origin.acceptTimes.first)
        let airTime = try #require(heard.airTimes.last)
        let wallStart = try #require(heard.wallStart)
        let edge = MonotonicInstant(nanoseconds: 0) + (airTime.instant(ofSample: Int64(burst) * 1_152) - wallStart)
        #expect(edge > earliestEdge - .milliseconds(1), "\(earliestEdge - edge) early")
        #expect(edge < latestEdge + .milliseconds(50), "\(edge - latestEdge) late")
    }
}
