// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

/// A recording gets from another Aircheck's relay what its own connection missed.
struct RelayHealingTests {
    @Test("A recording that was cut off from its station for 20 s is whole with --heal and another Aircheck's address")
    func outage() async throws {
        let onAir = OnAir(Broadcast([.music(.seconds(150))]))
        let (now, script) = (MonotonicInstant.now, LiveScript(.stream(LiveStream(onAir.programme))))
        // Both have the same programme; one of them cannot be reached for a while.
        let there = try ScriptedOrigin(script, began: now)
        let relay = try await Relaying([there.url("/live")])
        try await relay.waitForAudio()
        let began = MonotonicInstant.now - now
        let here = try ScriptedOrigin(
            LiveScript(
                .stream(LiveStream(onAir.programme)), absences: [.init(began + .seconds(10), for: .seconds(20), .gone)]),
            began: now)
        let outcome = try await onAir.record(45, from: here, options: ["--heal", relay.url()])
        #expect(outcome.isWhole, "\(outcome)\n\(relay.process.errorSoFar)")
        let healed = outcome.process.standardError.contains("another Aircheck")
        #expect(healed, "\(outcome.process.standardError)")
        // The other one is left alone afterwards.
        #expect(try await waitUntil(.seconds(10)) { !relay.hasListener() })
    }

    @Test("An address that is no list and no relay of Aircheck is named, and the gap stays one")
    func noRelay() async throws {
        let onAir = OnAir(Broadcast([.music(.seconds(120))]))
        let now = MonotonicInstant.now
        let other = try ScriptedOrigin(LiveScript(.stream(LiveStream(onAir.programme))), began: now)
        let here = try ScriptedOrigin(
            LiveScript(
                .stream(LiveStream(onAir.programme)), absences: [.init(.seconds(6), for: .seconds(12), .gone)]),
            began: now)
        let outcome = try await onAir.record(35, from: here, options: ["--heal", other.url("/live")])
        #expect(outcome.report.gaps.count == 1, "\(outcome)")
        let said = outcome.process.standardError
        #expect(said.ranges(of: "has no list of segments, and is no relay of Aircheck").count == 1, "\(said)")
    }
}
