// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import TestSupport
import Testing

@testable import Daemon

/// The files of shows: their names, and their content if a show changes while it is on.
struct ShowFilesTests {
    @Test("Shows that overlap have files named after them, even without a template") func names() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var station = DaemonRig.station("fip")
        station.shows = try ["one", "two"].map { id in
            var show = try rig.show(id, from: 20, to: 50)
            show.files.name = nil
            return show
        }
        rig.apply(try rig.configuration([station]), for: 65)
        let begins = CivilTime(rig.began + .seconds(20), utcOffset: 0).rfc3339.prefix(19)
        let time = begins.replacing("T", with: " ").replacing(":", with: "-")
        let names = ["one", "two"].map { "fip \($0) \(time)+0000.mp3" }
        #expect(rig.files.sorted() == names)
    }

    @Test("A show that a reload extends while it is on loses no frame") func extended() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var station = DaemonRig.station("fip", shows: [try rig.show("one", from: 20, to: 60)])
        rig.apply(try rig.configuration([station]), for: 50)
        station.shows = [try rig.show("one", from: 20, to: 90)]
        rig.apply(try rig.configuration([station]), for: 55)
        #expect(rig.files.sorted() == ["one (2).mp3", "one.mp3"])
        let (first, second) = (try rig.span("one.mp3"), try rig.span("one (2).mp3"))
        #expect(abs(first.from - 20) < 0.1 && abs(second.from - first.to) < 0.001, "\(first) \(second)")
        #expect(abs(second.to - 90) < 0.1, "\(first) \(second)")
        #expect(rig.results.mapValues(\.verdict) == ["one": .complete])
    }

    @Test("A show that ends where a segment would begin has no file of one frame, and the next show continues")
    func endAtSegment() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var station = DaemonRig.station("fip")
        station.shows = try [("one", 30.0, 60.0), ("two", 60, 90)].map { id, from, to in
            var show = try rig.show(id, from: from, to: to)
            show.files.segment = .period(.seconds(30))
            return show
        }
        rig.apply(try rig.configuration([station]), for: 105)
        #expect(rig.files.sorted() == ["one.mp3", "two.mp3"])
        let both = try rig.span(["one.mp3", "two.mp3"])
        #expect(abs(both.from - 30) < 0.1 && abs(both.to - 90) < 0.1, "\(both)")
    }
}
