// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import RadioCore
import Testing

@testable import Stations

struct PauseRequestsTests {
    private final class Sink: StreamSink {
        func receive(_ event: StreamEvent) {}
    }

    /// A source that records when it is paused.
    private final class Waiting: Source {
        var canPause = true
        private(set) var pauses: [Bool] = []
        func begin() {}
        func stop() {}
        func pause() { pauses.append(true) }
        func resume() { pauses.append(false) }
    }

    private let one = Sink()
    private let other = Sink()
    private let source = Waiting()
    private let programme: Programme

    init() { programme = Programme(reactor: ManualReactor()) { [source] _ in source } }

    @Test("The first sink pauses the source, and the last one resumes it") func firstAndLast() {
        for sink in [one, one, other] { programme.pause(for: sink) }
        programme.resume(for: one)
        #expect(source.pauses == [true])
        programme.resume(for: other)
        #expect(source.pauses == [true, false])
    }

    @Test("A sink that has not paused the source does not resume it") func otherSink() {
        programme.resume(for: one)
        programme.pause(for: one)
        programme.resume(for: other)
        #expect(source.pauses == [true])
    }

    @Test("A source that turns out to be live resumes at once, and is not paused again") func live() {
        programme.dropPauses()
        for sink in [one, other] { programme.pause(for: sink) }
        programme.dropPauses()
        source.canPause = false
        programme.resume(for: one)
        programme.pause(for: other)
        #expect(source.pauses == [true, false])
    }
}
