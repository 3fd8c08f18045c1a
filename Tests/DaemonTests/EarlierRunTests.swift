// SPDX-License-Identifier: MIT

import Configuration
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// What a daemon finds in its state folder.
struct EarlierRunTests {
    @Test("Each file that has no content of its kind is reported, but none that is missing") func unreadable() throws {
        let folder = try TemporaryFolder()
        let name = ManualRecordings.fileName
        func unreadable() -> [String] {
            var earlier = EarlierRun(of: folder.path)
            let json = earlier.read(name, with: "recordings")
            #expect(json == .null || earlier.unreadable.isEmpty)
            return earlier.unreadable
        }
        #expect(unreadable().isEmpty)
        for content in ["", "{]", "[]", "{}"] {
            try folder.write(name, content)
            #expect(unreadable() == [folder.file(name)])
        }
        try folder.write(name, "{\"recordings\": []}")
        #expect(unreadable().isEmpty)
    }

    @Test("D39: A copy of the state folder from before the last file of a recording is found to be older")
    func newFiles() throws {
        let rig = try DaemonRig(["fip": DaemonRig.script()])
        let (recordings, state) = (rig.folder.file("recordings"), rig.folder.file("state"))
        try rig.folder.make("state")
        #expect(try !RecordingsOwner.take(recordings, state: state))
        let backup = try rig.folder.read("state/runs.txt")
        try rig.beginWithCatalog(try rig.configuration([DaemonRig.station("fip", record: .always)]), for: 20)
        #expect(try !RecordingsOwner.take(recordings, state: state))
        try rig.folder.write("state/runs.txt", backup)
        #expect(try RecordingsOwner.take(recordings, state: state))
    }
}
