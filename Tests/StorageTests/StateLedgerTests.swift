// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

/// Ledgers on a disk without room, and behind a line that a crash has torn.
struct StateLedgerTests {
    private let folder: TemporaryFolder
    private let system = FaultySystem()
    private var ledger: StateLedger

    init() throws {
        folder = try TemporaryFolder()
        ledger = StateLedger(folder: folder.path, name: "a.jsonl", system: system)
    }

    /// What another process reads.
    private var onDisk: [JSONValue] { StateLedger(folder: folder.path, name: "a.jsonl").entries() }

    @Test(
        "I19: What the disk has no room for is kept, read, and written in its order once there is room",
        arguments: ["create", "pwrite", "sync"])
    func fullDisk(call: String) throws {
        if call != "create" { try ledger.append(["n": 0]) }
        let before = onDisk
        system.setErrors([call: ENOSPC])
        ledger.note(["n": 1])
        ledger.note(["n": 2])
        #expect(throws: StorageError.self) { try ledger.append(["n": 3]) }
        #expect(ledger.entries() == before + [["n": 1], ["n": 2]] && onDisk == before && !ledger.flush())
        system.setErrors([:])
        try ledger.append(["n": 4])
        #expect(onDisk == before + [["n": 1], ["n": 2], ["n": 4]] && ledger.flush() && ledger.entries() == onDisk)
    }

    @Test("I19: A torn line does not damage the line behind it") func torn() throws {
        try folder.write("a.jsonl", "{\"n\":1}\n{\"n\":")
        ledger.note(["n": 2])
        ledger.note(["n": 3])
        #expect(onDisk == [["n": 1], ["n": 2], ["n": 3]])
    }

    @Test("I19: Of too many entries without room, the newest are kept") func bounded() {
        system.setErrors(["create": ENOSPC])
        for number in 0..<1_010 { ledger.note(["n": .integer(Int64(number))]) }
        #expect(ledger.entries().count == 1_000 && ledger.entries().first == ["n": 10])
    }
}
