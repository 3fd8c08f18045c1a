// SPDX-License-Identifier: MIT

import Glibc
import Platform
import RadioFormats
import Storage
import TestSupport
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

    @Test("Without space for a second file, the content is overwritten", arguments: [1, 6, 20])
    func overwritten(size: Int) throws {
        let folder = try TemporaryFolder()
        let system = FaultySystem()
        let file = StateFile(folder: folder.path, name: "a.json", system: system)
        try file.write(Array("{    }".utf8))
        let next = [UInt8](repeating: UInt8(ascii: "1"), count: size)
        system.setErrors(["createPrivate": ENOSPC])
        try file.write(next)
        #expect(file.read() == next && folder.names(in: "") == ["a.json"])
        system.setErrors(["createPrivate": ENOSPC, "pwrite": ENOSPC])
        #expect(throws: SystemError(number: ENOSPC)) { try file.write([0x31, 0x32]) }
        #expect(file.read() == next)
    }

    @Test("A file is reserved once") func reserved() throws {
        let folder = try TemporaryFolder()
        let file = StateFile(folder: folder.path, name: "a.json")
        file.reserve([0x31])
        file.reserve([0x32])
        #expect(file.read() == [0x31])
    }

    @Test("As many entries are kept as fit as they are encoded") func fitting() {
        let entries = (0..<10).map { JSONValue.string("\($0)\u{1}") }
        // Each has nine bytes, and a comma.
        #expect(StateFile.fitting(entries, in: 49) { $0 }.count == 4)
        #expect(StateFile.fitting(entries, in: 50) { $0 }.count == 5 && StateFile.fitting(entries) { $0 } == entries)
    }
}
