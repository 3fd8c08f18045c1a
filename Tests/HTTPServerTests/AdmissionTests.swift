// SPDX-License-Identifier: MIT

import Instants
import Testing

@testable import HTTPServer

@Suite struct AdmissionTests {
    @Test func countsByAddressAndLeavesLoopbackAlone() throws {
        var limits = HTTPLimits()
        limits.connections = 5
        limits.connectionsPerAddress = 1
        var admission = HTTPAdmission(limits: limits)
        let (one, other) = (try #require(SocketAddress.Host("10.0.0.1")), try #require(SocketAddress.Host("10.0.0.2")))
        let local = try #require(SocketAddress.Host("127.0.0.1"))
        let now = MonotonicInstant(nanoseconds: 5)
        let refusals = [one, one, other, local, local, local, local].map { admission.admit($0, now: now) }
        #expect(refusals == [nil, .tooMany, nil, nil, nil, nil, .full])
        admission.release(one)
        let again = admission.admit(one, now: now)
        #expect(again == .full)
        admission.release(local)
        let atLast = admission.admit(one, now: now)
        #expect(atLast == nil)
        #expect(admission.count == 4)
    }

    @Test func writesTheDateOfEveryWeekday() {
        var date = HTTPDate()
        let texts = (0..<7).map { date.text(WallInstant(nanoseconds: 784_111_777_000_000_000) + .seconds(86400 * $0)) }
        #expect(texts[0] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(texts.map { $0.prefix(3) } == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])
    }

    @Test func refusesFiftyASecondWhenDescriptorsAreShort() {
        var shortage = DescriptorShortage()
        let start = MonotonicInstant(nanoseconds: 5)
        for second in 0..<3 {
            let now = start + .seconds(second)
            var refused = 0
            for _ in 0..<70 where shortage.mayRefuse(now: now) { refused += 1 }
            #expect(refused == 50)
        }
    }
}
