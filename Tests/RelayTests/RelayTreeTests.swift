// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Relay
import Stations
import TestSupport
import Testing

/// Relays of relays, and recorders of them: a relay's filler never reaches a recorder, and a loss has a known length.
struct RelayTreeTests {
    private static let programme = Broadcast([.music(.seconds(200))])

    private func stalling(after: Int, for length: Int) -> LiveScript {
        return LiveScript(
            .stream(LiveStream(Self.programme)), absences: [.init(.seconds(after), for: .seconds(length), .gone)])
    }

    @Test(
        "F14: A recorder of a relay whose source is down has one gap of the same length, and no filler",
        arguments: [12, 20, 45])
    func gap(seconds: Int) throws {
        let tree = RelayTree(Self.programme, hosts: ["studio": stalling(after: 20, for: seconds)])
        let relay = try tree.relay("relay", of: "studio")
        tree.run(5)
        let recorder = tree.recorder(of: "relay")
        let player = try tree.player(of: "relay")
        tree.run(Double(seconds) + 40) { player.collect() }
        let report = recorder.heard.report
        #expect(report.foreign == 0 && report.duplicated.isEmpty && report.disorders == 0, "\(report)")
        #expect(recorder.gaps.count == 1 && relay.mount.listenerCount == 2, "\(recorder.gaps)")
        // Only frames that the relay itself missed are missing.
        let lost = Double(report.lost.count) * 1152 / 44_100
        let gap = try #require(recorder.gaps.first?.length)
        #expect(abs(gap.inSeconds - lost) < 0.6, "\(gap) for \(lost) s")
        #expect(lost > Double(seconds) - 9 && lost < Double(seconds) + 1, "\(lost)")
        #expect((report.last ?? 0) > 40 * (25 + seconds), "\(report)")
        tree.close()
    }

    @Test("F14: A recorder of a relay that lost nothing loses nothing", arguments: [1, 3])
    func splice(seconds: Int) throws {
        let tree = RelayTree(Self.programme, hosts: ["studio": stalling(after: 20, for: seconds)])
        let relay = try tree.relay("relay", of: "studio")
        tree.run(5)
        let recorder = tree.recorder(of: "relay")
        tree.run(50)
        #expect(recorder.heard.report.isExact && recorder.gaps.isEmpty, "\(recorder.heard.report)")
        withExtendedLifetime(relay) { tree.close() }
    }

    @Test("F14: A second connection soon after a gap gets all audio since the gap, and none is recorded twice")
    func afterGap() throws {
        var script = stalling(after: 20, for: 20)
        script.absences.append(.init(.seconds(85), for: .seconds(3), .gone))
        let tree = RelayTree(Self.programme, hosts: ["studio": script])
        let relay = try tree.relay("relay", of: "studio")
        tree.run(5)
        let recorder = tree.recorder(of: "relay")
        tree.run(110)
        let report = recorder.heard.report
        #expect(recorder.gaps.count == 1 && recorder.station.snapshot.hedges >= 1, "\(recorder.gaps)")
        #expect(report.duplicated.isEmpty && report.foreign == 0 && report.disorders == 0, "\(report)")
        let lost = Double(report.lost.count) * 1152 / 44_100
        #expect(abs((recorder.gaps.first?.length?.inSeconds ?? 0) - lost) < 0.6, "\(lost)")
        withExtendedLifetime(relay) { tree.close() }
    }

    @Test("F7: Players of a relay's relay hear one silence, without a frame in the middle of it", arguments: [0, 3, 6])
    func silentOnce(tenths: Int) throws {
        let stream = LiveStream(
            Self.programme, faults: [.inFrame(after: .seconds(20) + .milliseconds(100 * tenths), .close)])
        let dying = stream
        let script = LiveScript { visit in
            if visit.number == 0 { return .stream(dying) }
            return visit.time < .seconds(40) ? .hangUp : .stream(LiveStream(Self.programme))
        }
        let tree = RelayTree(Self.programme, hosts: ["studio": script])
        let relay = try tree.relay("relay", of: "studio")
        tree.run(3)
        let edge = try tree.relay("edge", of: "relay")
        tree.run(3)
        let player = try tree.player(of: "edge")
        tree.run(55) { player.collect() }
        let places = FrameChecker(Self.programme).check(player.body).places
        let stretches = zip(places, [-1] + places).count { ($0 == nil) != ($1 == nil) }
        // The player gets the station, silence, and the station again.
        #expect(stretches == 2, "\(stretches)")
        #expect(places.count { $0 == nil } > 300 && places.last != nil)
        withExtendedLifetime((relay, edge)) { tree.close() }
    }

    @Test("F18: A recording that begins while the relay's source is down has one gap of the relay's length")
    func begunWhileAway() throws {
        let tree = RelayTree(Self.programme, hosts: ["studio": stalling(after: 20, for: 20)])
        let relay = try tree.relay("relay", of: "studio")
        tree.run(30)
        let recorder = tree.recorder(of: "relay")
        tree.run(40)
        #expect(relay.gaps.count == 1 && recorder.gaps.count == 1, "\(relay.gaps) \(recorder.gaps)")
        let (told, known) = (recorder.gaps.first?.length?.inSeconds ?? 0, relay.gaps.first?.length?.inSeconds ?? 0)
        #expect(abs(told - known) < 0.4, "\(told) s for \(known) s")
        tree.close()
    }

    /// The station begins again for a moment, and falls silent once more.
    private func stuttering(for length: Duration) -> LiveScript {
        let sixteen = LiveStream(Self.programme, burst: 16 * 1024)
        return LiveScript { visit in
            var stream = sixteen
            switch visit.time {
            case ..<(.seconds(20)):
                stream.faults = [.at(.seconds(20), .reset)]
            case ..<(.seconds(25)):
                return .hangUp
            case ..<(.seconds(33)):
                guard visit.others == 0 else { return .status(503) }
                stream.faults = [.at(length, .stall)]
            default:
                break
            }
            return .stream(stream)
        }
    }

    @Test(
        "F18: A recorder knows the length of a gap, even if the relay held the audio after it for a while",
        arguments: [300, 900, 1_600])
    func heldAtRelay(milliseconds: Int) throws {
        let tree = RelayTree(Self.programme, hosts: ["studio": stuttering(for: .milliseconds(milliseconds))])
        let relay = try tree.relay("relay", of: "studio")
        tree.run(5)
        let recorder = tree.recorder(of: "relay")
        tree.run(60)
        #expect(relay.gaps.count == 2 && recorder.gaps.count == 2, "\(relay.gaps) \(recorder.gaps)")
        for (told, known) in zip(recorder.gaps, relay.gaps) {
            let (told, known) = (told.length?.inSeconds ?? 0, known.length?.inSeconds ?? 0)
            #expect(abs(told - known) < 0.4, "\(told) s for \(known) s")
        }
        tree.close()
    }

    @Test("F15: A relay of a relay that has lost its source uses its mirror at once, and loses nothing")
    func mirror() throws {
        let other = LiveScript(.stream(LiveStream(Self.programme)))
        let tree = RelayTree(Self.programme, hosts: ["studio": stalling(after: 20, for: 60), "other": other])
        let relay = try tree.relay("relay", of: "studio")
        tree.run(5)
        let edge = try tree.relay("edge", of: "relay", "other")
        let recorder = tree.recorder(of: "edge")
        tree.run(60)
        let report = recorder.heard.report
        #expect(report.isExact && recorder.gaps.isEmpty, "\(report)")
        #expect((report.last ?? 0) > 40 * 55, "\(report)")
        withExtendedLifetime((relay, edge)) { tree.close() }
    }

    @Test("F16: Relays that name each other as mirrors do not feed each other, and the loop is reported")
    func loop() throws {
        let tree = RelayTree(Self.programme, hosts: ["studio": stalling(after: 20, for: 40)])
        let first = try tree.relay("first", of: "studio", "second")
        tree.run(5)
        let second = try tree.relay("second", of: "first")
        tree.run(30)
        let loops = first.failures.filter { $0.message.contains("a loop of relays") }
        #expect(!loops.isEmpty, "\(first.failures)")
        #expect(loops.allSatisfy { $0.remedy.contains("gets its audio from this one") })
        #expect(!first.station.snapshot.isDelivering && !second.station.snapshot.isDelivering)
        // Both relays resume when the station is back.
        tree.run(40)
        #expect(first.station.snapshot.isDelivering && second.station.snapshot.isDelivering)
        tree.close()
    }

    @Test("F16: Three relays in a ring all play again once their station is back", arguments: [12, 30])
    func ring(seconds: Int) throws {
        let tree = RelayTree(Self.programme, hosts: ["studio": stalling(after: 20, for: seconds)])
        let first = try tree.relay("first", of: "studio", "third")
        tree.run(3)
        let second = try tree.relay("second", of: "first")
        tree.run(3)
        let third = try tree.relay("third", of: "second")
        tree.run(3)
        let players = try ["first", "second", "third"].map { try tree.player(of: $0) }
        let play: () -> Void = { for player in players { player.discard() } }
        tree.run(Double(seconds) + 12, play)
        let relays = [first, second, third]
        #expect(relays.flatMap(\.failures).contains { $0.message.contains("a loop of relays") })
        tree.run(15, play)
        #expect(relays.map(\.station.snapshot.isDelivering) == [true, true, true])
        // Each relay has a player as a listener, and also the relay below it if that part of the ring is left.
        #expect(relays.map(\.mount.listenerCount) == [2, 2, 1])
        #expect(!third.mount.via.contains(","), "\(third.mount.via)")
        tree.close()
    }

    @Test("F16: Two relays that have only each other send no audio, and report the reason", arguments: [false, true])
    func onlyEachOther(isOnDemand: Bool) throws {
        let tree = RelayTree(Self.programme, hosts: [:])
        var settings = MountSettings()
        settings.isOnDemand = isOnDemand
        let first = try tree.relay("first", of: "second", settings: settings)
        let second = try tree.relay("second", of: "first", settings: settings)
        let player = try tree.player(of: "first")
        let recorder = tree.recorder(of: "second")
        tree.run(90) { player.collect() }
        let answer = String(decoding: player.received, as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.0 503 ") && player.end == .closed)
        #expect(recorder.heard.count == 0)
        for relay in [first, second] {
            #expect(!relay.station.snapshot.isDelivering && relay.station.snapshot.position.frames == 0)
            // The relay retries, less and less often.
            #expect(relay.failures.count > 5 && relay.failures.count < 60)
            #expect(relay.failures.allSatisfy { $0.failureClass == .serverBusy }, "\(relay.failures)")
        }
        tree.close()
    }
}
