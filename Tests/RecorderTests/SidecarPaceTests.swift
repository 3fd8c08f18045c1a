// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import Testing

@testable import Recorder

/// When the sidecar of a growing file is due for another look.
@Suite struct SidecarPaceTests {
    private let reactor = ManualReactor()

    /// Runs `script`, lets time pass, and returns the times at which the sidecar was due.
    private func due(within length: Duration, _ script: (SidecarPace, ManualReactor) -> Void) -> [Duration] {
        let start = reactor.now
        var times: [Duration] = []
        let pace = SidecarPace(reactor)
        pace.onDue = { times.append(reactor.now - start) }
        script(pace, reactor)
        reactor.advance(by: length - (reactor.now - start))
        return times
    }

    @Test func `a growing file's sidecar is due each minute`() {
        #expect(due(within: .seconds(200)) { pace, _ in pace.begin() } == [.seconds(60), .seconds(120), .seconds(180)])
    }

    @Test func `what must not be lost makes it due at once, and a minute later again`() {
        let times = due(within: .seconds(100)) { pace, reactor in
            pace.begin()
            reactor.advance(by: .seconds(30))
            pace.soon()
        }
        #expect(times == [.seconds(30), .seconds(90)])
    }

    @Test func `however often that happens, it is due once a second`() {
        let times = due(within: .seconds(4)) { pace, reactor in
            pace.begin()
            for _ in 0..<25 {
                pace.soon()
                reactor.advance(by: .milliseconds(100))
            }
        }
        #expect(times == [.zero, .seconds(1), .seconds(2), .seconds(3)])
    }

    @Test func `a second counts across two files`() {
        let times = due(within: .seconds(100)) { pace, reactor in
            pace.begin()
            pace.soon()
            pace.stop()
            reactor.advance(by: .milliseconds(400))
            pace.begin()
            pace.soon()
        }
        #expect(times == [.zero, .seconds(1), .seconds(61)])
    }

    @Test func `after the end nothing is due`() {
        let times = due(within: .seconds(100)) { pace, _ in
            pace.begin()
            pace.stop()
        }
        #expect(times.isEmpty)
    }
}
