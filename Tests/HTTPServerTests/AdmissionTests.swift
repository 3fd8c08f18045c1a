// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import Platform
import Testing

@testable import HTTPServer

@Suite struct AdmissionTests {
    @Test("Streams are counted by address, except from loopback; pages of an address have connections of their own")
    func countsByAddress() throws {
        var limits = HTTPLimits()
        limits.connections = 15
        limits.streamsPerAddress = 1
        var admission = HTTPAdmission(limits: limits)
        let (one, other) = (try #require(SocketAddress.Host("10.0.0.1")), try #require(SocketAddress.Host("10.0.0.2")))
        let local = try #require(SocketAddress.Host("127.0.0.1"))
        let now = MonotonicInstant(nanoseconds: 5)
        let own = (0..<11).map { _ in admission.admit(one, now: now) }
        #expect(own == Array(repeating: nil, count: 9) + [.tooMany, .tooMany])
        let streams = [one, one, other].map { admission.admitStream(of: ServedClient($0)) }
        #expect(streams == [nil, .tooManyStreams, nil])
        let others = [other, local, local, local, local, local, local].map { admission.admit($0, now: now) }
        #expect(others == [nil, nil, nil, nil, nil, nil, .full])
        let unlimited = [local, local, local].map { admission.admitStream(of: ServedClient($0)) }
        #expect(unlimited == [nil, nil, nil])
        // A client that has closed its side may come back before that shows.
        admission.leaveStream(of: ServedClient(one))
        let back = admission.admitStream(of: ServedClient(one))
        #expect(back == nil)
        admission.leaveStream(of: ServedClient(one))
        for _ in 0..<2 { admission.releaseStream() }
        admission.release(one)
        let full = admission.admit(one, now: now)
        #expect(full == .full)
        admission.release(local)
        let again = (admission.admit(one, now: now), admission.admitStream(of: ServedClient(one)))
        #expect(again == (nil, nil))
        #expect(admission.count == 14)
    }

    @Test("If other machines can connect, each address may have 100 listeners unless the user says otherwise")
    func defaultLimit() throws {
        let addresses = try ["127.0.0.1:80", "[::1]:80", "0.0.0.0:80"].map { try #require(SocketAddress($0)) }
        let open = try #require(SocketAddress(":8000"))
        #expect(HTTPLimits.perAddress(nil, at: Array(addresses.prefix(2))) == nil)
        #expect(HTTPLimits.perAddress(nil, at: addresses) == 100 && HTTPLimits.perAddress(nil, at: [open]) == 100)
        #expect(HTTPLimits.perAddress(0, at: addresses) == nil && HTTPLimits.perAddress(7, at: []) == 7)
    }

    @Test("The connect rate of a client is limited, and a refusal says for how long") func connectRate() {
        var limits = HTTPLimits()
        limits.connectRate = RateLimit(perSecond: 2, burst: 3)
        var admission = HTTPAdmission(limits: limits)
        let now = MonotonicInstant(nanoseconds: 5)
        // One household's network is one client, whatever addresses it uses.
        let refusals = (0..<4).map { admission.admit(.v6(high: 7, low: $0, scope: 0), now: now) }
        #expect(refusals == [nil, nil, nil, .tooOften(.milliseconds(500))])
        let local = (0..<9).map { _ in admission.admit(.v4(0x7f00_0001), now: now) }
        #expect(local.allSatisfy { $0 == nil })
        let later = admission.admit(.v6(high: 7, low: 9, scope: 0), now: now + .milliseconds(500))
        #expect(later == nil)
    }

    @Test("Streams leave some connections to pages", arguments: [(1, 1), (2, 1), (16, 8), (40, 24), (20_000, 19_984)])
    func placesForPages(_ connections: Int, _ streams: Int) {
        var limits = HTTPLimits()
        limits.connections = connections
        #expect(limits.mostStreams == streams)
        var admission = HTTPAdmission(limits: limits)
        var count = 0
        while admission.admitStream(of: nil) == nil { count += 1 }
        #expect(count == streams)
        admission.releaseStream()
        let again = admission.admitStream(of: nil)
        #expect(again == nil)
    }

    @Test("The default number of connections depends on the descriptor limit") func defaultConnections() {
        let limits = HTTPLimits()
        #expect(limits.mostConnections >= DescriptorLimit.current / 2)
        #expect(limits.mostConnections <= max(DescriptorLimit.current - 256, DescriptorLimit.current / 2))
    }

    @Test("The date is written for every weekday") func dates() {
        var date = HTTPDate()
        let texts = (0..<7).map { date.text(WallInstant(nanoseconds: 784_111_777_000_000_000) + .seconds(86400 * $0)) }
        #expect(texts[0] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(texts.map { $0.prefix(3) } == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])
    }

    @Test("Without free descriptors, fifty connections a second are refused with an answer") func descriptorShortage() {
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
