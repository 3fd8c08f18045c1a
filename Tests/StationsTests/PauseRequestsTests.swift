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

    @Test mutating func `the first sink pauses the source, and the last one lets it go on`() {
        #expect([requests.add(one), requests.add(one), requests.add(other)] == [true, false, false])
        #expect(!requests.isEmpty)
        #expect([requests.remove(one), requests.remove(other)] == [false, true])
        #expect(requests.isEmpty)
    }

    @Test mutating func `a sink that has not paused the source lets nothing go on`() {
        #expect(requests.remove(one) == false)
        requests.add(one)
        #expect(requests.remove(other) == false)
        #expect(!requests.isEmpty)
    }

    @Test mutating func `all requests are dropped at once`() {
        #expect(requests.dropAll() == false)
        requests.add(one)
        requests.add(other)
        #expect(requests.dropAll() == true)
        #expect(requests.isEmpty)
    }
}
