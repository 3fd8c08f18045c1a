// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Instants
import RadioCore
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// The files of a show during which the clock is set back by half a minute, as a time server does.
struct ClockStepFilesTests {
    private static let start = WallInstant(nanoseconds: 1_800_000_880_000_000_000)

    private func rig(_ absences: [LiveScript.Absence] = []) throws -> DaemonRig {
        let rig = try DaemonRig(["fip": DaemonRig.script(absences)], at: Self.start)
        var station = DaemonRig.station("fip")
        var show = try rig.show("one", from: 20, to: 90)
        show.files.segment = .period(.seconds(3_600))
        station.shows = [show]
        try rig.beginWithCatalog(try rig.configuration([station]))
        // The catalog is rebuilt in real time, which virtual time must not outrun.
        try #require(rig.reactor.pump { rig.rebuilds == [true] })
        return rig
    }

    @Test(
        "A clock that is set back by 30 s makes neither a second recording of a show nor a second file",
        arguments: [15.0, 22, 35, 60, 88, 93, 105])
    func setBack(_ moment: Double) throws {
        let rig = try rig()
        rig.run(moment)
        rig.stepClock(by: .zero - .seconds(30))
        rig.run(200 - moment)
        #expect(rig.files == ["one.mp3"], "\(rig.files)")
        #expect(rig.results.mapValues(\.verdict) == ["one": .complete])
        #expect(rig.events.count { if case .showEnded = $0 { true } else { false } } == 1)
    }

    @Test(
        "A file lacks nothing where a clock is set forward by 30 s, and the show lacks what the clock left out",
        arguments: [24.0, 35, 55])
    func setForward(_ moment: Double) throws {
        let rig = try rig()
        rig.run(moment)
        rig.stepClock(by: .seconds(30))
        rig.live(200 - moment, step: 10)
        #expect(rig.files == ["one.mp3"], "\(rig.files)")
        let result = try #require(rig.results["one"])
        #expect(result.verdict == .incomplete && result.cause == RecordingResult.clockSet, "\(result)")
        #expect(abs(result.lost.inSeconds - 30) < 0.2 && result.missing.count == 1, "\(result)")
        // The catalog knows its end: 40 s of audio up to the end of the show.
        let recording = try #require(
            try rig.ask { store throws(CatalogError) in try store.recordings(CatalogQuery()) }.first)
        let end = try #require(recording.ended?.instant)
        #expect(abs((end - (Self.start + .seconds(90))).inSeconds) < 0.1 && abs(recording.length.inSeconds - 40) < 0.1)
        // So does an export of what was on air after the step.
        let library = Library(path: rig.folder.file("recordings"))
        let segment = try #require(library.segment(at: ["one.mp3"]))
        let excerpt = Excerpt([segment], from: Self.start + .seconds(88), until: nil)
        let export = try #require(excerpt.sidecar)
        #expect(abs(Double(export.samples) / 44_100 - 2) < 0.1 && export.clockStep == nil)
        #expect(export.endOfAudio.map { abs(($0 - end).inSeconds) < 0.1 } == true)
    }

    @Test("The date of a broadcast that is recorded from before midnight on is the date on which it begins")
    func date() throws {
        let midnight = WallInstant(nanoseconds: 86_400_000_000_000 * 20_834)
        let rig = try DaemonRig(["fip": DaemonRig.script()], at: midnight - .seconds(20))
        var station = DaemonRig.station("fip")
        var show = try rig.show("one", from: 21, to: 40)
        show.show.early = .seconds(10)
        station.shows = [show]
        try rig.beginWithCatalog(try rig.configuration([station]))
        rig.run(60)
        let today = CalendarDate(dayNumber: 20_834)
        let found = try rig.ask { store throws(CatalogError) in
            try [today.adding(days: -1), today].map { day throws(CatalogError) in
                var query = CatalogQuery()
                query.date = day
                return try store.recordings(query).count
            }
        }
        #expect(found == [0, 1])
    }

    @Test(
        "What is missing of a show is missing, whichever way the clock is set",
        arguments: [(50.0, -30.0, 0.0), (22, 30, 30)])
    func gap(_ moment: Double, by step: Double, leftOut: Double) throws {
        let rig = try rig([.init(.seconds(moment + 8), for: .seconds(12), .gone)])
        rig.run(moment)
        rig.stepClock(by: .seconds(step))
        rig.live(200 - moment, step: 10)
        let result = try #require(rig.results["one"])
        // The burst of a new connection has some seconds of what was sent meanwhile.
        #expect(result.verdict == .incomplete && (5...20).contains(result.lost.inSeconds - leftOut))
    }
}
