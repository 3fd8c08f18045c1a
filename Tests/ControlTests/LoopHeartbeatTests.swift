// SPDX-License-Identifier: MIT

import Control
import EventLoopTesting
import Testing

/// How late the loop runs its timers.
struct LoopHeartbeatTests {
    @Test("The longest delay of the last 15 seconds is reported")
    func lag() {
        let reactor = ManualReactor()
        let heartbeat = LoopHeartbeat(reactor)
        reactor.advance(by: .seconds(5))
        #expect(heartbeat.lag == .zero)
        // The next beat is due after a quarter of a second, so it is 150 ms late.
        reactor.standStill(for: .milliseconds(400))
        #expect(heartbeat.lag == .milliseconds(150))
        reactor.advance(by: .seconds(14))
        #expect(heartbeat.lag == .milliseconds(150))
        reactor.advance(by: .seconds(2))
        #expect(heartbeat.lag == .zero)
    }
}
