// SPDX-License-Identifier: MIT

import Glibc
import Storage
import TestSupport
import TestTools
import Testing

/// The error if the recordings folder can no longer be opened.
struct RecordingsFolderTests {
    @Test("A brief refusal to open the recordings folder is not taken for a link") func briefRefusal() throws {
        let folder = try TemporaryFolder()
        let system = FaultySystem()
        let recordings = RecordingsFolder(path: folder.path, system: system)
        system.close(try recordings.open())
        let refused = system.log.count + 1
        system.setFault { _, call in call == refused ? EMFILE : nil }
        let error = #expect(throws: StorageError.self) { _ = try recordings.open() }
        #expect(error?.code == .tooManyOpen)
        system.close(try recordings.open())
    }
}
