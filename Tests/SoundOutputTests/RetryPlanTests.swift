// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import SoundOutput

struct RetryPlanTests {
    @Test("Retries come at once, then every 250 ms for 10 s, and then every second")
    func pauses() {
        var plan = RetryPlan()
        let start = MonotonicInstant(nanoseconds: 0)
        var now = start
        var pauses: [Duration] = []
        #expect(plan.isDue(at: now))
        for _ in 0..<60 {
            plan.failed(at: now)
            guard let next = plan.next else { break }
            #expect(!plan.isDue(at: now) && plan.isDue(at: next))
            pauses.append(next - now)
            now = next
        }
        #expect(pauses.prefix(40).allSatisfy { $0 == .milliseconds(250) })
        #expect(pauses.dropFirst(40).allSatisfy { $0 == .seconds(1) })
    }
}
