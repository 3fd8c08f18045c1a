// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import Platform
import TestSupport
import TestTools
import Testing

/// Many listeners at a time. Most of them misbehave, and the well-behaved ones lose nothing.
struct RelayCrowdTests {
    @Test("F1, F6: 250 listeners lose nothing beside 250 bad clients and 10,000 that come and go")
    func rabble() async throws {
        DescriptorLimit.raise()
        let studio = try await Studio()
        let relay = try await studio.relay()
        #expect(try await waitUntil(.seconds(20)) { !relay.hasListener() })
        let descriptors = relay.descriptors
        let audience = try await onThread { try Audience(250, port: relay.port) }
        // By then, the relay also keeps its audio for slow listeners, so the memory measured next includes that audio.
        #expect(try await audience.hasHeard(bytes: 10 * 16_000, within: .seconds(60)))
        let memory = try #require(relay.process.peakMemorySoFar)

        let rabble = Rabble(
            [.deaf: 50, .sipping: 50, .dripping: 50, .leaving: 50, .bragging: 50, .passing: 1000], port: relay.port)
        #expect(try await rabble.hasDone(within: .seconds(120)) { $0.seconds >= 22 && $0.connects >= 11_000 })
        let peak = try #require(relay.process.peakMemorySoFar)
        #expect(try await relay.curl("/status.json").status == 200)
        let record = rabble.record
        try await rabble.leave()
        let heard = try await audience.leave()

        #expect(peak <= 64 << 20 && peak - memory <= 250 * 16 * 1024, "\(memory) to \(peak)")
        for member in heard {
            #expect(member.isConnected && studio.isStretch(member.body), "\(member.body.count) bytes")
            // At least twenty seconds were received; the rest may still be on its way.
            #expect(member.body.count > 20 * 16_000)
        }
        #expect(record.answers[431] ?? 0 >= 50 && record.answers[408] ?? 0 >= 50, "\(record)")
        let isClean = try await waitUntil(.seconds(30)) { relay.descriptors <= descriptors }
        #expect(isClean, "\(descriptors) descriptors before, \(relay.descriptors) after")
        let outcome = try await relay.stop()
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
    }

    @Test(
        "F2: Without free descriptors new clients get 503, the loop does not spin, and reconnects succeed",
        arguments: [(64, 8), (26, 4)])
    func descriptors(limit: Int, listeners: Int) async throws {
        let studio = try await Studio(faults: [.inFrame(after: .seconds(8), .reset)])
        let relay = try await studio.relay(descriptors: limit)
        let audience = try await onThread { try Audience(listeners, port: relay.port) }
        #expect(try await audience.hasHeard(bytes: 40_000, within: .seconds(60)))
        let before = try #require(relay.processorSeconds)
        let rabble = Rabble([.mute: 300], port: relay.port)
        #expect(try await rabble.hasDone(within: .seconds(60)) { $0.seconds >= 20 })
        let spent = try #require(relay.processorSeconds) - before
        let (record, faults) = (rabble.record, studio.origin.log.faults.count)
        try await rabble.leave()
        let heard = try await audience.leave()
        for member in heard {
            #expect(member.isConnected && studio.isStretch(member.body), "\(relay.process.errorSoFar)")
            #expect(member.body.count > 20 * 16_000)
        }
        #expect(record.answers[503] ?? 0 > 200, "\(record)")
        #expect(faults >= 2 && spent < 4, "\(spent) s of processor")
        // The relay has room for listeners again.
        #expect(try await waitUntil(.seconds(30)) { relay.hasListener() == false })
        #expect(try await relay.curl(seconds: 1).status == 200)
    }

    @Test("F7: A hundred listeners stay through an outage of 20 s with silence, and continue with the station")
    func away() async throws {
        // One run has a burst of four seconds, the other a burst that covers the whole outage.
        try await atOnce([64 * 1024, 640 * 1024]) { burst in try await away(burst: burst) }
    }

    private func away(burst: Int) async throws {
        let studio = try await Studio(absences: [.init(.seconds(12), for: .seconds(20), .gone)], burst: burst)
        let relay = try await studio.relay()
        // A listener that joins during the burst has a larger cushion than others, so wait for the end of the burst.
        #expect(
            try await studio.origin.hasLogged(within: .seconds(60)) { $0.bodyBytes >= min(burst, 640_000) + 16_000 })
        let audience = try await onThread { try Audience(50, port: relay.port) }
        // Wait until the station is back and has sent ten more seconds.
        let sent = 2 * burst + 20 * 16_000
        #expect(try await studio.origin.hasLogged(within: .seconds(90)) { $0.bodyBytes >= sent })
        let heard = try await audience.leave()
        let reports = try await onThread { heard.map { studio.check($0.body) } }
        for (member, found) in zip(heard, reports) {
            let said = Comment("\(burst): \(found) \(relay.process.errorSoFar)")
            #expect(member.isConnected && found.duplicated.isEmpty && found.disorders == 0, said)
            #expect(found.junkBytes == 0 && found.problems.isEmpty, said)
            // There is silence from the end of the cushion to the station's return.
            #expect((12 * 38...24 * 38).contains(found.foreign), said)
            let gaps = zip(found.lost, found.lost.dropFirst()).count { $1 != $0 + 1 } + (found.lost.isEmpty ? 0 : 1)
            #expect(gaps == (burst > 100_000 ? 0 : 1) && found.lost.count < 25 * 38, said)
            #expect(found.last ?? 0 > (40 + 36) * 38, said)
        }
    }
}
