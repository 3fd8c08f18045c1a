// SPDX-License-Identifier: MIT

import Configuration
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Changes to single files of a recording.
struct FileChangeTests {
    @Test(
        "One file of a station that is always recorded is protected, unprotected and deleted; those of a show are not")
    func oneFile() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var station = DaemonRig.station("fip", record: .always)
        station.files.segment = .period(.seconds(10))
        station.shows = [try rig.show("one", from: 10, to: 20)]
        try rig.beginWithCatalog(try rig.configuration([station]), for: 45)
        let sidecars = try rig.sidecars()
        let log = try #require(sidecars.values.first { $0.show == nil }?.recording)
        let show = try #require(sidecars.values.first { $0.show != nil }?.recording)
        func names(_ number: Int) -> [String] {
            sidecars.filter { $0.value.recording == log && $0.value.number == number }.map(\.key)
        }
        #expect(try rig.answer { rig.daemon.recordings.protect("\(log).2", true, $0) } == nil)
        #expect(try rig.sidecars().filter(\.value.isProtected).map(\.key) == names(2))
        let refusal = try rig.answer { rig.daemon.recordings.delete("\(log).2", $0) }
        #expect(refusal?.message.contains("protected") == true)
        // The recording is under way, but these files are finished.
        #expect(try rig.answer { rig.daemon.recordings.delete("\(log).1", $0) } == nil)
        #expect(try rig.answer { rig.daemon.recordings.protect("\(log).2", false, $0) } == nil)
        #expect(try rig.answer { rig.daemon.recordings.delete("\(log).2", $0) } == nil)
        let left = Set(rig.files.map { $0.replacing(".part", with: "").replacing(".mp3", with: "") })
        #expect(left == Set(sidecars.keys).subtracting(names(1) + names(2)))
        for change in [false, true] {
            let refusal = try rig.answer {
                change
                    ? rig.daemon.recordings.protect("\(show).1", true, $0)
                    : rig.daemon.recordings.delete("\(show).1", $0)
            }
            #expect(refusal?.message.contains("together") == true)
        }
        #expect(try rig.answer { rig.daemon.recordings.delete("\(log).99", $0) }?.failureClass == .notFound)
    }
}
