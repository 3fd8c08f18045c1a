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
        let (one, other) = (try #require(SocketAddress("10.0.0.1:1")), try #require(SocketAddress("10.0.0.2:1")))
        let local = try #require(SocketAddress("127.0.0.1:1"))
        let first = admission.admit(one)
        let second = admission.admit(SocketAddress(host: one.host, port: 2))
        let third = admission.admit(other)
        #expect((first, second, third) == (true, false, true))
        for _ in 0..<3 {
            let isAdmitted = admission.admit(local)
            #expect(isAdmitted)
        }
        let beyond = admission.admit(local)
        #expect(!beyond)
        admission.release(one)
        let again = admission.admit(one)
        #expect(again)
        #expect(admission.count == 5)
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
