// SPDX-License-Identifier: MIT

import Configuration
import Glibc
import RadioCore
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// What is reported if a recording is not deleted, or its protection is not changed.
struct RecordingRefusalTests {
    @Test("Each refusal says what to do about it") func remedies() {
        let protected = RecordingChanges.refused(.protected)
        #expect(protected.message.contains("is protected") && protected.remedy.contains("recordings unprotect"))
        let growing = RecordingChanges.refused(.growing("fip 08-00"))
        #expect(growing.message.contains("fip 08-00 is being recorded") && growing.remedy.contains("aircheck stop"))
        let other = RecordingChanges.refused(.system("fip 08-00", 5))
        #expect(other.message.contains("fip 08-00") && other.remedy == "look at the recording's files, and try again")
    }

    @Test("A manual recording under way can be neither deleted nor unprotected until it is ended")
    func underWay() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        try rig.beginWithCatalog(try rig.configuration([DaemonRig.station("fip")]))
        let number = try #require(rig.daemon.record("fip", for: .seconds(600))).number
        rig.run(10)
        let id = try #require(rig.daemon.runningRecordings.first)
        let changes = rig.daemon.recordings
        let failures = [
            try rig.answer { changes.delete(id, $0) }, try rig.answer { changes.protect(id, false, $0) },
        ]
        for failure in failures {
            #expect(failure?.message.contains("still under way") == true, "\(String(describing: failure))")
            #expect(failure?.remedy.contains("aircheck stop") == true)
        }
        #expect(rig.daemon.endRecording(number))
        rig.run(15)
        #expect(try rig.answer { rig.daemon.recordings.delete(id, $0) }?.remedy.contains("unprotect") == true)
        #expect(try rig.answer { rig.daemon.recordings.protect(id, false, $0) } == nil)
        // The `.part` file makes it look as if another program were recording this file.
        let part = try rig.folder.write("recordings/\(try #require(rig.files.first)).part", "")
        let growing = try rig.answer { rig.daemon.recordings.delete(id, $0) }
        #expect(growing?.message.contains("is being recorded") == true && growing?.remedy.contains("wait") == true)
        #expect(unlink(part) == 0)
        #expect(try rig.answer { rig.daemon.recordings.delete(id, $0) } == nil)
        #expect(rig.files.isEmpty)
    }

    @Test("A recording of which somebody has deleted a file can still be deleted") func partlyDeleted() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        var station = DaemonRig.station("fip", record: .always)
        station.files.segment = .period(.seconds(10))
        try rig.beginWithCatalog(try rig.configuration([station]))
        rig.run(35)
        let id = try #require(rig.daemon.runningRecordings.first)
        station.record = .never
        rig.apply(try rig.configuration([station]), for: 10)
        let files = rig.files.filter { $0.hasSuffix(".mp3") }
        #expect(files.count >= 3)
        #expect(unlink(rig.folder.file("recordings/\(files[1])")) == 0)
        #expect(try rig.answer { rig.daemon.recordings.delete(id, $0) } == nil)
        #expect(rig.files.filter { $0.hasSuffix(".mp3") } == [])
        #expect(try rig.answer { rig.daemon.recordings.delete(id, $0) }?.message.contains("no recording") == true)
    }
}
