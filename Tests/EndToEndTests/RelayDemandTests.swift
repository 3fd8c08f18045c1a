// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import Testing

/// Stations that are connected only while a client listens.
struct RelayDemandTests {
    @Test("Nobody is called before somebody listens, the line is held for a while, and then given up; then once more")
    func demand() async throws {
        let studio = try await Studio()
        let relay = try await Relaying([studio.origin.url()], ["--on-demand", "--linger", "2s", "--json"])
        // Requests for pages do not count as listening.
        #expect(try await relay.curl("/live.m3u").status == 200)
        #expect(try await relay.status().mounts.first?.listeners == 0)
        #expect(studio.origin.log.accepts.isEmpty)

        for round in 1...2 {
            let began = MonotonicInstant.now
            let answer = try await relay.curl(seconds: 4)
            let left = MonotonicInstant.now
            #expect(answer.status == 200 && answer.seconds < 3, "\(answer.seconds) s")
            studio.expectStretch(answer.body, seconds: 3)
            #expect(studio.origin.log.accepts.count == round)
            #expect(try await studio.origin.hasLogged(within: .seconds(20)) { $0.open == 0 })
            let closed = MonotonicInstant.now
            // curl leaves 4 s after it began; on a busy machine the test learns of it later.
            #expect(closed - began > .seconds(5.5), "\(closed - began)")
            // The relay sees that a listener has left when it sends something, and the origin's side takes a moment.
            #expect(closed - left < .seconds(8), "\(closed - left)")
        }
        let report = try await relay.stop().json(Relaying.Report.self)
        #expect(report.mount.listenersTotal == 2)
    }

    @Test("One who asks for the head alone first, as some players do, gets the station's, and wakes it")
    func head() async throws {
        let studio = try await Studio()
        let relay = try await Relaying([studio.origin.url()], ["--on-demand"])
        let head = try await relay.curl("/live", "--head")
        #expect(head.status == 200 && head.fields["content-type"] == "audio/mpeg")
        #expect(studio.origin.log.accepts.count == 1)
    }

    @Test("Who comes back within the time to linger hears the same connection go on")
    func linger() async throws {
        let studio = try await Studio()
        let relay = try await Relaying([studio.origin.url()], ["--on-demand", "--linger", "20s"])
        for _ in 0..<3 {
            let answer = try await relay.curl(seconds: 2)
            studio.expectStretch(answer.body, seconds: 1)
        }
        #expect(studio.origin.log.accepts.count == 1)
    }

    @Test("Many who ask at once wait for the same connection, and all hear it")
    func crowd() async throws {
        let studio = try await Studio()
        let relay = try await Relaying([studio.origin.url()], ["--on-demand"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    let answer = try await relay.curl(seconds: 6)
                    studio.expectStretch(answer.body, seconds: 4)
                }
            }
            try await group.waitForAll()
        }
        #expect(studio.origin.log.accepts.count == 1)
    }

    @Test(
        "A station that is dead: 503 within ten seconds, with the time after which to ask again, whatever kind of dead")
    func dead() async throws {
        let silent = try LiveOrigin(LiveScript(.silence))
        let missing = try LiveOrigin(LiveScript(.status(404)))
        let closed = try ClosedPort()
        let urls = [silent.url(), missing.url(), "http://127.0.0.1:\(closed.number)/"]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for url in urls {
                group.addTask {
                    let relay = try await Relaying([url], ["--on-demand"])
                    let answer = try await relay.curl()
                    #expect(answer.status == 503 && answer.seconds < 12, "\(url): \(answer.seconds) s")
                    #expect(answer.fields["retry-after"].flatMap { Int($0) } != nil, "\(answer.fields)")
                    #expect(relay.process.isRunning)
                    #expect(try await relay.curl("/status.json").status == 200)
                }
            }
            try await group.waitForAll()
        }
        withExtendedLifetime(closed) {}
    }
}
