// SPDX-License-Identifier: MIT

import Glibc
import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Recorder
import Relay
import Stations
import TestSupport
import TestTools
import Testing

@testable import Engine

/// One programme and its uses.
struct HostTests {
    private let rig: EngineRig

    init() throws { rig = try Self.rig() }

    private static let broadcast = Broadcast([.music(.seconds(240))], MPEGShape(48))

    private static func rig(faults: [LiveFault] = []) throws -> EngineRig {
        try EngineRig(["fip": LiveScript(.stream(LiveStream(broadcast, burst: 16_000, faults: faults)))])
    }

    @Test("A programme runs on for its linger time after its last use, even if the mount has gone") func linger() throws
    {
        rig.mount("live", of: "fip") { spec in
            spec.settings.isOnDemand = true
            spec.linger = .seconds(5)
        }
        rig.run(1)
        #expect(rig.connections(to: "fip") == 0)
        let client = rig.listen("live")
        rig.run(3) { client.collect() }
        #expect(rig.connections(to: "fip") == 1 && client.body.count > 10_000)
        client.close()
        rig.run(1)
        rig.end("live")
        rig.run(1)
        rig.record("later", of: "fip")
        rig.run(5)
        rig.end("later")
        rig.run(1)
        #expect(rig.connections(to: "fip") == 1 && rig.origin.transfersUnderWay == 0)
    }

    @Test("A recording and its listeners share one connection, even if that is cut") func oneConnection() throws {
        let rig = try Self.rig(faults: [.inFrame(after: .seconds(8), .reset)])
        rig.record("file", of: "fip")
        rig.mount("live", of: "fip")
        rig.run(2)
        let clients = (0..<5).map { _ in rig.listen("live") }
        rig.run(60) { for client in clients { client.collect() } }
        rig.end("file")
        rig.run(1) { for client in clients { client.collect() } }
        rig.end("live")
        rig.run(1) { for client in clients { client.collect() } }
        let outcome = try #require(rig.recording("file"))
        #expect(outcome.reconnects >= 6 && outcome.report.splices.count == outcome.reconnects)
        #expect(outcome.report.gaps.isEmpty && rig.origin.log.mostOpen == 1)
        let starts = Self.broadcast.starts
        let heard = try #require(Self.broadcast.stretch(of: try rig.audio("file"), startingAt: starts))
        #expect(heard.count == Int(outcome.report.frames) && heard.count > 2_300)
        for client in clients {
            let played = try #require(Self.broadcast.stretch(of: client.body, startingAt: starts))
            #expect(played.count > 2_200)
        }
    }

    @Test("A recording that joins a programme may begin in the past") func past() throws {
        rig.mount("live", of: "fip")
        rig.run(30)
        rig.record("early", of: "fip") { $0.start = .behind(.seconds(20)) }
        rig.record("late", of: "fip")
        rig.run(10)
        for id in ["early", "late", "live"] { rig.end(id) }
        rig.run(1)
        let starts = Self.broadcast.starts
        let early = try #require(Self.broadcast.stretch(of: try rig.audio("early"), startingAt: starts))
        let late = try #require(Self.broadcast.stretch(of: try rig.audio("late"), startingAt: starts))
        #expect(early.upperBound == late.upperBound)
        #expect(abs(early.count - late.count - 20 * 44_100 / 1_152) <= 2)
        #expect(rig.connections(to: "fip") == 1)
    }

    @Test("D3: A disk that is full for longer than audio can wait makes a gap, and the recording goes on")
    func fullDisk() throws {
        rig.record("file", of: "fip")
        rig.mount("live", of: "fip")
        rig.run(5)
        let client = rig.listen("live")
        rig.system.setRoom(0)
        rig.run(68) { client.collect() }
        #expect(rig.outcomes.isEmpty)
        rig.system.setRoom(nil)
        rig.run(27) { client.collect() }
        rig.end("file")
        rig.run(1) { client.collect() }
        let outcome = try #require(rig.recording("file"))
        let gap = try #require(outcome.report.gaps.first)
        #expect(outcome.failure == nil && outcome.report.gaps.count == 1 && gap.cause.contains("no space"))
        // Audio waits for a minute; then the disk is tried every two seconds.
        let lost = Double(try #require(gap.milliseconds)) / 1_000
        #expect((6...11).contains(lost) && outcome.report.seconds + lost > 98, "\(lost), \(outcome.report.seconds)")
        #expect(Self.broadcast.stretch(of: client.body, startingAt: Self.broadcast.starts)?.isEmpty == false)
        #expect(rig.connections(to: "fip") == 1)
        rig.end("live")
        rig.run(1)
        #expect(rig.outcomes.count == 2)
    }

    @Test(
        "D3: A disk that never takes data again does not end a recording, and the status at its own end says so",
        arguments: [nil, 90])
    func fullForGood(duration: Int?) throws {
        rig.record("file", of: "fip") { $0.duration = duration.map { .seconds($0) } }
        rig.run(5)
        rig.system.setErrors(["writev": EROFS, "create": EROFS, "createPrivate": EROFS])
        rig.run(200)
        if duration == nil {
            #expect(rig.outcomes.isEmpty)
            rig.end("file")
            rig.run(5)
        }
        let outcome = try #require(rig.recording("file"))
        #expect(outcome.failure?.failureClass == .storage && outcome.report.seconds > 3, "\(outcome.report.seconds)")
    }

    @Test("A recording that is to end waits three seconds for space on a full disk") func endOnFullDisk() throws {
        for isFreed in [false, true] {
            let rig = try Self.rig()
            rig.record("file", of: "fip") { $0.waitsForDisk = true }
            rig.run(5)
            rig.system.setRoom(0)
            rig.run(10)
            rig.end("file")
            rig.run(0.5)
            if isFreed { rig.system.setRoom(nil) }
            rig.run(2)
            #expect((rig.recording("file") != nil) == isFreed)
            rig.run(1)
            let outcome = try #require(rig.recording("file"))
            #expect((outcome.failure?.failureClass == .storage) == !isFreed)
        }
    }

    @Test("A recording that ends by itself on a full disk waits for space", arguments: [true, false])
    func endsByItselfOnFullDisk(waitsForDisk: Bool) throws {
        rig.record("file", of: "fip") { ($0.duration, $0.waitsForDisk) = (.seconds(10), waitsForDisk) }
        rig.run(5)
        rig.system.setRoom(0)
        rig.run(30)
        #expect(rig.recording("file") == nil)
        rig.system.setRoom(nil)
        rig.run(5)
        let outcome = try #require(rig.recording("file"))
        #expect(outcome.failure == nil && outcome.report.gaps.isEmpty)
        // The number of the second file makes its name longer.
        let files = try rig.folder.contents().filter { $0.hasSuffix(".mp3") }.sorted { $0.count < $1.count }
        let audio = try files.flatMap { try rig.folder.read($0) }
        let stretch = try #require(Self.broadcast.stretch(of: audio, startingAt: Self.broadcast.starts))
        #expect(stretch.count == Int(outcome.report.frames) && stretch.count > 400)
    }

    @Test("A recording that never got a file does not wait for the disk at its end") func endWithoutFile() throws {
        rig.system.setErrors(["openRoot": EACCES])
        rig.record("file", of: "fip") { $0.duration = .milliseconds(1) }
        rig.run(3)
        let outcome = try #require(rig.recording("file"))
        #expect(outcome.failure?.failureClass == .storage && outcome.report.frames == 0)
    }

    @Test("The time of a recording ends the programme if the recording says so", arguments: [true, false])
    func endsProgramme(endsProgramme: Bool) throws {
        rig.mount("live", of: "fip")
        rig.record("file", of: "fip") { spec in
            spec.duration = .seconds(10)
            spec.endsProgramme = endsProgramme
        }
        rig.run(15)
        #expect(rig.recording("file")?.failure == nil)
        #expect((rig.outcomes[UseID("live")] != nil) == endsProgramme)
        rig.end("live")
        rig.run(1)
        #expect(rig.origin.transfersUnderWay == 0)
    }

    @Test("A use that leaves during an outage has the gap in its report, and the others continue")
    func leavesInOutage() throws {
        let script = LiveScript(
            .stream(LiveStream(Self.broadcast, burst: 16_000)),
            absences: [.init(.seconds(10), for: .seconds(20), .gone)])
        let rig = try EngineRig(["fip": script])
        rig.record("one", of: "fip")
        rig.record("two", of: "fip")
        rig.run(15)
        rig.end("one")
        rig.run(25)
        rig.end("two")
        rig.run(1)
        let one = try #require(rig.recording("one")), two = try #require(rig.recording("two"))
        #expect(one.report.gaps.count == 1 && two.report.gaps.count == 1)
        #expect(two.report.frames > one.report.frames)
    }

    @Test("A mount that ends leaves nothing behind") func mountEnd() throws {
        rig.record("file", of: "fip")
        rig.run(5)
        weak var mount: Mount?
        for number in 0..<5 {
            rig.mount("m\(number)", of: "fip")
            rig.run(1)
            let client = rig.listen("m\(number)")
            rig.run(30) { client.collect() }
            mount = rig.registry.mounts.first
            #expect(mount != nil)
            rig.end("m\(number)")
            rig.run(2) { client.collect() }
            #expect(mount == nil)
            let gone = rig.listen("m\(number)")
            rig.run(1) { gone.collect() }
            #expect(gone.text.hasPrefix("HTTP/1.0 404"))
        }
        let hub = try #require(rig.registry.hub(of: ProgrammeID("fip")))
        #expect(hub.position.frames - hub.ring.oldestFrame < 120, "the ring has shrunk again")
        rig.end("file")
        rig.run(1)
        #expect(rig.recording("file")?.report.gaps.isEmpty == true)
    }

    @Test("A programme that is removed ends its uses") func removed() throws {
        rig.record("file", of: "fip")
        rig.mount("live", of: "fip")
        rig.run(5)
        rig.registry.perform(.remove(ProgrammeID("fip")))
        rig.run(1)
        #expect(rig.outcomes.count == 2 && rig.registry.snapshot.programmes.isEmpty)
        rig.record("again", of: "fip")
        #expect(rig.recording("again")?.failure?.failureClass == .internal)
        #expect(rig.origin.transfersUnderWay == 0)
    }

    @Test("The time of a recording ends the programme even if its disk or its station failed before")
    func timeAfterFailure() throws {
        let script = LiveScript(
            .stream(LiveStream(Self.broadcast, burst: 16_000)),
            absences: [.init(.seconds(115), for: .seconds(8), .gone)])
        for hasRoom in [true, false] {
            let rig = try EngineRig(["fip": script])
            rig.mount("live", of: "fip")
            rig.record("file", of: "fip") { spec in
                spec.duration = .seconds(120)
                spec.endsProgramme = true
            }
            rig.run(5)
            if !hasRoom { rig.system.setRoom(0) }
            rig.run(112)
            #expect(rig.outcomes.isEmpty)
            rig.run(25)
            #expect(rig.outcomes[UseID("live")] != nil && rig.origin.transfersUnderWay == 0)
            // The end of the recording waits for the disk, for forty seconds.
            rig.run(25)
            #expect((rig.recording("file")?.failure?.failureClass == .storage) == !hasRoom)
        }
    }

    @Test("The time of a recording counts from the first audio, even if the recording has failed before")
    func timeFromFirstAudio() throws {
        let script = LiveScript(
            .stream(LiveStream(Self.broadcast, burst: 16_000)), absences: [.init(.zero, for: .seconds(8), .gone)])
        let rig = try EngineRig(["fip": script])
        rig.system.setErrors(["openRoot": EACCES])
        rig.mount("live", of: "fip")
        rig.record("file", of: "fip") { spec in
            spec.duration = .seconds(20)
            spec.endsProgramme = true
        }
        rig.run(7)
        #expect(rig.recording("file")?.failure?.failureClass == .storage)
        rig.run(20)
        #expect(rig.outcomes[UseID("live")] == nil)
        rig.run(10)
        #expect(rig.outcomes.count == 2 && rig.origin.transfersUnderWay == 0)
    }

    @Test("Shared time counts from the first audio of any station, and a station without audio says why")
    func sharedTime() throws {
        let stream = LiveScript.Answer.stream(LiveStream(Self.broadcast, burst: 16_000))
        let dead = LiveScript(stream, absences: [.init(.zero, for: .seconds(600), .gone)])
        let rig = try EngineRig(["dead": dead, "fip": LiveScript(stream), "mute": LiveScript(.silence)])
        for station in ["dead", "fip", "mute"] {
            rig.record(station, of: station) { spec in
                spec.duration = .seconds(10)
                (spec.sharesTime, spec.endsProgramme) = (true, true)
            }
            rig.mount("\(station)-live", of: station)
        }
        rig.run(9)
        #expect(rig.outcomes.isEmpty)
        rig.run(2)
        #expect(rig.outcomes.count == 6 && rig.origin.transfersUnderWay == 0)
        #expect(rig.recording("fip")?.failure == nil)
        #expect(rig.recording("dead")?.failure?.failureClass == .refused)
        #expect(rig.recording("mute")?.failure?.failureClass == .noAudio)
    }

    @Test("A use that begins while its programme ends has a run of its own") func ownRun() throws {
        for number in 0..<20 {
            rig.record("r\(number)", of: "fip")
            if number % 2 == 1 { rig.mount("m\(number)", of: "fip") }
            if number > 0 { rig.end("r\(number - 1)") }
            if number % 4 == 3 {
                rig.end("r\(number)")
                rig.end("m\(number - 2)")
                rig.end("m\(number)")
                rig.record("s\(number)", of: "fip")
            }
            rig.run(3)
            if number % 4 == 3 { rig.end("s\(number)") }
        }
        rig.end("r19")
        rig.run(1)
        #expect(rig.registry.snapshot.uses.isEmpty)
        for number in stride(from: 3, to: 20, by: 4) {
            let outcome = try #require(rig.recording("s\(number)"))
            #expect(outcome.failure == nil && outcome.report.frames > 100, "s\(number)")
        }
    }

    @Test("Two recordings that end at once have the same last frame") func sameLastFrame() throws {
        rig.record("one", of: "fip")
        rig.record("two", of: "fip")
        rig.run(20.35)
        rig.registry.perform(.endAll)
        rig.run(1)
        let starts = Self.broadcast.starts
        let one = try #require(Self.broadcast.stretch(of: try rig.audio("one"), startingAt: starts))
        let two = try #require(Self.broadcast.stretch(of: try rig.audio("two"), startingAt: starts))
        #expect(one == two)
    }

    @Test("A listener on demand receives a programme that has just ended and begins anew") func onDemandAgain() throws {
        rig.mount("live", of: "fip") { spec in
            spec.settings.isOnDemand = true
            spec.linger = .seconds(2)
        }
        rig.run(1)
        for delay in [1.95, 1.975, 2.0, 2.025, 2.05, 2.075] {
            let first = rig.listen("live")
            rig.run(3) { first.collect() }
            first.reset()
            rig.run(delay)
            let second = rig.listen("live")
            rig.run(4) { second.collect() }
            #expect(second.body.count > 10_000, "\(delay) s: \(second.text.prefix(60))")
            second.reset()
            rig.run(4)
        }
    }

    @Test("The programme that is added in the place of a removed one is the next to run") func replaced() throws {
        let other = Broadcast([.music(.seconds(60))], MPEGShape(48), seed: 9)
        let rig = try EngineRig([
            "fip": LiveScript(.stream(LiveStream(Self.broadcast, burst: 16_000))),
            "nova": LiveScript(.stream(LiveStream(other, burst: 16_000))),
        ])
        rig.record("file", of: "fip")
        rig.run(5)
        rig.record("file", of: "nova")
        #expect(rig.refused == [UseID("file")])
        rig.registry.perform(.remove(ProgrammeID("fip")))
        let settings = StationSettings(urls: ["http://nova/live"], userAgent: "Aircheck/test")
        rig.registry.perform(.add(ProgrammeID("fip"), .station(settings)))
        rig.run(1)
        rig.record("next", of: "fip")
        rig.run(5)
        rig.end("next")
        rig.run(1)
        #expect(other.stretch(of: try rig.audio("next"), startingAt: other.starts) != nil)
    }
}
