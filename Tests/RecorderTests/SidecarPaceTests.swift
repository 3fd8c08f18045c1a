// SPDX-License-Identifier: MIT

import EventLoopTesting
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

    @Test("A growing file's sidecar is due every ten seconds") func everyTenSeconds() {
        #expect(due(within: .seconds(35)) { pace, _ in pace.begin() } == [.seconds(10), .seconds(20), .seconds(30)])
    }

    @Test("An entry that must not be lost makes the sidecar due at once, and again ten seconds later") func atOnce() {
        let times = due(within: .seconds(20)) { pace, reactor in
            pace.begin()
            reactor.advance(by: .seconds(7))
            pace.soon()
        }
        #expect(times == [.seconds(7), .seconds(17)])
    }

    @Test("A sidecar is due once a second at most") func oncePerSecond() {
        let times = due(within: .seconds(4)) { pace, reactor in
            pace.begin()
            for _ in 0..<25 {
                pace.soon()
                reactor.advance(by: .milliseconds(100))
            }
        }
        #expect(times == [.zero, .seconds(1), .seconds(2), .seconds(3)])
    }

    @Test("The second between two times at which sidecars are due counts across files") func acrossFiles() {
        let times = due(within: .seconds(20)) { pace, reactor in
            pace.begin()
            pace.soon()
            pace.stop()
            reactor.advance(by: .milliseconds(400))
            pace.begin()
            pace.soon()
        }
        #expect(times == [.zero, .seconds(1), .seconds(11)])
    }

    @Test("No sidecar is due after the end") func stopped() {
        let times = due(within: .seconds(100)) { pace, _ in
            pace.begin()
            pace.stop()
        }
        #expect(times.isEmpty)
    }
}
