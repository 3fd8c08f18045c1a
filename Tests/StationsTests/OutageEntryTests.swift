// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Testing

@testable import Stations

/// What a gap says about the attempts to get the audio back.
struct OutageEntryTests {
    @Test("A gap lists each kind of failed attempt once, with its count") func tries() {
        let clock = ClockReading(wall: WallInstant(nanoseconds: 0), now: MonotonicInstant(nanoseconds: 0))
        let refused = Failure(.refused, "connection refused", remedy: "wait")
        var outage = Outage(Failure(.dropped, "cut", remedy: ""), edge: nil, held: .zero, clock: clock)
        for attempt in 0..<40 {
            outage.note(attempt == 20 ? Failure(.notFound, "404", remedy: "look") : refused)
        }
        #expect(outage.gap(until: clock).tried == ["\(refused.entry) (39 times)", "not-found: 404; look"])
        // However many kinds there are, a few are enough.
        for kind in 0..<100 { outage.note(Failure(.notFound, "\(kind)", remedy: "look")) }
        #expect(outage.gap(until: clock).tried.count == 20)
    }
}
