// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioFormats
import Storage
import TestTools
import Testing

/// The size of a file in the state folder.
struct StateFileTests {
    @Test("What could not be read again is not written, and the old content stays") func largest() throws {
        let folder = try TemporaryFolder()
        let file = StateFile(folder: folder.path, name: "a.json")
        let most = [UInt8](repeating: 0x20, count: 1 << 20)
        try file.write(most)
        #expect(file.read() == most)
        #expect(throws: SystemError(number: EFBIG)) { try file.write(most + [0x20]) }
        #expect(file.read() == most && folder.names(in: "") == ["a.json"])
    }

    @Test("As many entries are kept as fit as they are encoded") func fitting() {
        let entries = (0..<10).map { JSONValue.string("\($0)\u{1}") }
        // Each has nine bytes, and a comma.
        #expect(StateFile.fitting(entries, in: 49) { $0 }.count == 4)
        #expect(StateFile.fitting(entries, in: 50) { $0 }.count == 5 && StateFile.fitting(entries) { $0 } == entries)
    }
}
