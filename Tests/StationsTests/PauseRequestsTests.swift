// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@testable import Stations

struct PauseRequestsTests {
    private final class Sink: StreamSink {
        func receive(_ event: StreamEvent) {}
    }

    private let one = Sink()
    private let other = Sink()
    private var requests = PauseRequests()

    @Test("The first sink pauses the source, and the last one resumes it") mutating func firstAndLast() {
        #expect([requests.add(one), requests.add(one), requests.add(other)] == [true, false, false])
        #expect(!requests.isEmpty)
        #expect([requests.remove(one), requests.remove(other)] == [false, true])
        #expect(requests.isEmpty)
    }

    @Test("A sink that has not paused the source does not resume it") mutating func otherSink() {
        #expect(requests.remove(one) == false)
        requests.add(one)
        #expect(requests.remove(other) == false)
        #expect(!requests.isEmpty)
    }

    @Test("All pause requests are dropped at once") mutating func dropAll() {
        #expect(requests.dropAll() == false)
        requests.add(one)
        requests.add(other)
        #expect(requests.dropAll() == true)
        #expect(requests.isEmpty)
    }
}
