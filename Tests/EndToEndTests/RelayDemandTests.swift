// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

/// Stations that are connected only while a client listens.
struct RelayDemandTests {
    private let studio: Studio

    init() async throws { studio = try await Studio() }

    @Test("A station is connected for its first listener, held for the linger time, and then released")
    func demand() async throws {
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
            // curl leaves 4 s after it began, but on a busy machine the test notices that later.
            #expect(closed - began > .seconds(5.5), "\(closed - began)")
            // The relay notices that a listener has left only when it sends something, and the origin notices the
            // closed connection a moment later.
            #expect(closed - left < .seconds(8), "\(closed - left)")
        }
        let report = try await relay.stop().json(Relaying.Report.self)
        #expect(report.mount.listenersTotal == 2)
    }

    @Test("A HEAD request starts an on-demand station, and gets its fields")
    func head() async throws {
        let relay = try await Relaying([studio.origin.url()], ["--on-demand"])
        let head = try await relay.curl("/live", "--head")
        #expect(head.status == 200 && head.fields["content-type"] == "audio/mpeg")
        #expect(studio.origin.log.accepts.count == 1)
    }

    @Test("A listener that returns within the linger time gets the same connection")
    func linger() async throws {
        let relay = try await Relaying([studio.origin.url()], ["--on-demand", "--linger", "20s"])
        for _ in 0..<3 {
            let answer = try await relay.curl(seconds: 2)
            studio.expectStretch(answer.body, seconds: 1)
        }
        #expect(studio.origin.log.accepts.count == 1)
    }

    @Test("Many requests at once wait for the same connection, and all get its audio")
    func crowd() async throws {
        let relay = try await Relaying([studio.origin.url()], ["--on-demand"])
        try await atOnce(0..<12) { _ in
            let answer = try await relay.curl(seconds: 6)
            studio.expectStretch(answer.body, seconds: 4)
        }
        #expect(studio.origin.log.accepts.count == 1)
    }

    @Test("Requests for a dead station get 503 with a retry time within ten seconds")
    func dead() async throws {
        let silent = try ScriptedOrigin(LiveScript(.silence))
        let missing = try ScriptedOrigin(LiveScript(.status(404)))
        let closed = try ClosedPort()
        let urls = [silent.url(), missing.url(), "http://127.0.0.1:\(closed.number)/"]
        try await atOnce(urls) { url in
            let relay = try await Relaying([url], ["--on-demand"])
            let answer = try await relay.curl()
            #expect(answer.status == 503 && answer.seconds < 12, "\(url): \(answer.seconds) s")
            #expect(answer.fields["retry-after"].flatMap { Int($0) } != nil, "\(answer.fields)")
            #expect(relay.process.isRunning)
            #expect(try await relay.curl("/status.json").status == 200)
        }
        withExtendedLifetime(closed) {}
    }
}
