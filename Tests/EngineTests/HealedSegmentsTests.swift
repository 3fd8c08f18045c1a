// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations
import Storage
import TestSupport
import TestTools
import Testing

@testable import Engine

/// Recordings whose station is away for longer than its list reaches, and that are healed from a longer list.
struct HealedSegmentsTests {
    static let programmes = [Broadcast([.music(.seconds(560))], MPEGShape(48)), Broadcast.adts(.seconds(560))]

    private static let (onAir, outage) = (100, 130..<430)

    private static func rig(_ programme: Broadcast) throws -> EngineRig {
        let short = HLSScript(
            HLSRendition(programme, window: 60),
            faults: [
                .everything(
                    during: .seconds(outage.lowerBound)..<(.seconds(outage.upperBound)), .status(503))
            ])
        let scripts = ["short": short, "long": HLSScript(HLSRendition(programme, window: 1_800))]
        let rig = try EngineRig(segments: scripts.mapValues { $0.with { $0.onAir = .seconds(onAir) } })
        var settings = StationSettings(urls: ["http://short/live.m3u8"], userAgent: "Aircheck/test")
        settings.healing = ["http://long/live.m3u8"]
        rig.registry.perform(.add(ProgrammeID("hls"), .station(settings)))
        rig.record("file", of: "hls") { $0.settings.writesSidecars = true }
        return rig
    }

    /// A recording through the outage, which ends two seconds after the audio was found, or after so many `steps`
    /// behind the outage. `call`: the call of the file system at which the process dies. Returns also the first call
    /// for what was found.
    private static func record(
        _ programme: Broadcast, steps: Int? = nil, killedAt call: Int = .max
    ) throws -> (rig: EngineRig, steps: Int, saved: Int) {
        let rig = try rig(programme)
        rig.system.kill(at: call)
        rig.run(25, step: 0.5)
        rig.pass(.seconds(300))
        var (step, saved) = (0, Int?.none)
        var last = steps ?? 200
        while step < last {
            let calls = rig.system.log.count
            rig.run(0.5, step: 0.5)
            step += 1
            let hasSaved = rig.folder.names(in: "file").contains { $0.hasSuffix(".found") }
            if saved == nil, hasSaved { (saved, last) = (calls, steps ?? step + 4) }
        }
        rig.end("file")
        rig.run(2, step: 0.5)
        return (rig, step, saved ?? rig.system.log.count)
    }

    /// Checks the file and its sidecar. Returns whether the file has the audio of the outage.
    private static func check(
        _ rig: EngineRig, _ programme: Broadcast, _ starts: [ArraySlice<UInt8>: Int], _ what: String
    ) throws -> Bool {
        let library = Library(path: rig.folder.file("file"))
        let names = rig.folder.names(in: "file")
        #expect(names.count == 2, "\(what): \(names)")
        let name = try #require(names.first { !$0.hasSuffix(".json") }, "\(what)")
        let found = try #require(library.segment(at: [name]), "\(what)")
        let sidecar = try #require(found.sidecar, "\(what)")
        let flaws = try library.check(found)?.flaws(of: found)
        #expect(flaws == [] && sidecar.state != .growing && sidecar.healing == nil, "\(what)")
        let audio = try rig.folder.read("file/\(name)")
        let first = try #require(starts[audio.prefix(64)], "\(what)")
        guard let gap = sidecar.gaps.first else {
            let places = programme.stretch(of: audio, startingAt: starts)
            #expect(places?.count == Int(sidecar.frames) && !sidecar.healed.isEmpty, "\(what)")
            return true
        }
        let split =
            programme.frames[first + Int(gap.position)].bytes.startIndex - programme.frames[first].bytes.startIndex
        let sides = [audio[..<split], audio[split...]].map { programme.stretch(of: Array($0), startingAt: starts) }
        let before = try #require(sides[0], "\(what)")
        let after = try #require(sides[1], "\(what)")
        let missing = programme.frames[after.lowerBound].start - programme.frames[before.upperBound].start
        let isRight = abs((missing - .milliseconds(gap.milliseconds ?? 0)).inSeconds) < 0.03
        #expect(isRight && sidecar.gaps.count == 1 && missing > .zero, "\(what)")
        #expect(before.count + after.count == Int(sidecar.frames), "\(what)")
        return false
    }

    @Test("Five minutes that a list does not reach back to come from a longer one, also after a kill at any call")
    func kills() throws {
        for programme in Self.programmes {
            let starts = programme.starts
            let (whole, steps, saved) = try Self.record(programme)
            #expect(try Self.check(whole, programme, starts, "no kill"))
            let report = try #require(whole.recording("file")).report
            #expect(report.gaps.isEmpty && report.seconds > 330, "\(report.gaps) \(report.seconds)")
            let calls = saved...whole.system.log.count
            var healed: [Int] = []
            for call in calls {
                let rig = try Self.record(programme, steps: steps, killedAt: call).rig
                #expect(rig.system.isDead)
                rig.die()
                try FolderRepair(folder: rig.folder.file("file")).run { _ in }
                if try Self.check(rig, programme, starts, "call \(call) of \(calls)") { healed.append(call) }
            }
            // Once the audio lies beside the growing file, each repair puts it in.
            let first = try #require(healed.first)
            #expect(healed.count > 30 && healed == Array(first...calls.upperBound), "\(healed) \(calls)")
        }
    }

    /// A station without segments that loses 70 s, and is looked for in a list of `other`, if there is one. Returns the
    /// audio of its recording, and how much of it was found in the list.
    private static func live(_ programme: Broadcast, healedFrom other: Broadcast?) throws -> ([UInt8], Int) {
        let icy = LiveScript(
            .stream(LiveStream(programme)), absences: [.init(.seconds(60), for: .seconds(70), .gone)],
            onAir: .seconds(60))
        let list = HLSScript(HLSRendition(other ?? programme, window: 300)).with { $0.onAir = .seconds(60) }
        let rig = try EngineRig(["icy": icy], segments: ["long": list])
        var settings = StationSettings(urls: ["http://icy/live"], userAgent: "Aircheck/test")
        if other != nil { settings.healing = ["http://long/live.m3u8"] }
        rig.registry.perform(.add(ProgrammeID("live"), .station(settings)))
        rig.record("file", of: "live") { $0.settings.writesSidecars = true }
        rig.run(240, step: 0.5)
        rig.end("file")
        rig.run(2)
        #expect(other == nil || rig.connections(to: "long") > 100)
        let report = try #require(rig.recording("file")).report
        return (try rig.audio("file"), report.healed.count)
    }

    @Test("A list of another encoder, also one that changes within the gap, leaves a recording as it is, to the byte")
    func otherEncoder() throws {
        let programme = Broadcast([.music(.seconds(400))], MPEGShape(48))
        let starts = programme.starts
        let plain = try Self.live(programme, healedFrom: nil)
        // The gap is from 120 s to 190 s.
        func changed(_ isOther: (Duration) -> Bool) -> Broadcast {
            let places = programme.frames.filter { isOther($0.start) }.map { $0.bytes.startIndex + 100 }
            return programme.damaged(Dictionary(places.map { ($0, 0x55) }) { $1 })
        }
        let others = [
            Broadcast([.music(.seconds(400))], MPEGShape(48), seed: 2), changed { $0 >= .seconds(155) },
            changed { $0 < .seconds(155) }, changed { $0 < .seconds(121) || $0 > .seconds(189) },
        ]
        for (number, other) in others.enumerated() {
            let found = try Self.live(programme, healedFrom: other)
            let isSame = found.0 == plain.0
            #expect(isSame && found.1 == 0, "\(number): \(found.1), \(found.0.count - plain.0.count) bytes")
        }
        let healed = try Self.live(programme, healedFrom: programme)
        let isWhole = programme.stretch(of: healed.0, startingAt: starts) != nil
        #expect(isWhole && healed.1 > 0 && plain.0.count < healed.0.count)
    }
}
