// SPDX-License-Identifier: MIT

import TestTools
import Testing

@testable import Daemon

/// What a daemon finds in its state folder.
struct EarlierRunTests {
    @Test("Each file that has no content of its kind is reported, but none that is missing") func unreadable() throws {
        let folder = try TemporaryFolder()
        #expect(EarlierRun(of: folder.path).unreadable.isEmpty)
        let names = [
            ManualRecordings.fileName, SkippedBroadcasts.fileName, RecordingLinks.fileName, ListChoices.fileName,
            StandingFaults.fileName, HookRunner.fileName,
        ]
        for content in ["", "{]", "[]"] {
            for name in names { try folder.write(name, content) }
            #expect(EarlierRun(of: folder.path).unreadable == names.map { folder.file($0) })
        }
        for name in names { try folder.write(name, "{\"recordings\": []}") }
        #expect(EarlierRun(of: folder.path).unreadable.isEmpty)
    }
}
