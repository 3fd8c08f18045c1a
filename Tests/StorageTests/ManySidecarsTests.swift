// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Storage

/// Folders with more sidecars than a recovery holds at once.
@Suite("Many sidecars")
struct ManySidecarsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let growing = Sidecar(.growing).encoded

    /// Recovers a folder. Returns what the recovery reports, and how often it read the names in the folder.
    private func recover(
        _ folder: TemporaryFolder, atOnce: Int, then change: (RecoveredFile) throws -> Void = { _ in }
    ) throws -> (files: [RecoveredFile], listings: Int) {
        let system = FaultySystem()
        var files: [RecoveredFile] = []
        let root = RecordingsFolder(path: folder.path, system: system)
        let recovery = Recovery(
            root: root, system: system, writesSidecars: true, depth: 0, sidecarsAtOnce: atOnce
        ) { files += $0 }
        var told = 0
        while recovery.step() {
            for file in files[told...] { try change(file) }
            told = files.count
        }
        return (files, system.log.count { $0 == "names" })
    }

    @Test("D13: Recovery looks at every sidecar, newest first, however few it holds at once", arguments: [1, 2, 7, 50])
    func all(atOnce: Int) throws {
        let complete = Sidecar(.complete).encoded
        // These names look the same to people, but are different files on the disk.
        let alike = ["caf\u{e9}", "cafe\u{301}"]
        let names = (10..<40).map { "\($0)" } + alike
        for (index, name) in names.enumerated() {
            try folder.write("\(name).json", index % 3 == 1 ? complete : Self.growing)
        }
        let (files, listings) = try recover(folder, atOnce: atOnce)
        let growing = names.indices.filter { $0 % 3 != 1 }.map { "\(folder.path)/\(names[$0]).json" }
        let order = growing.sorted { $1.utf8.lexicographicallyPrecedes($0.utf8) }
        #expect(files.map { Array($0.path.utf8) } == order.map { Array($0.utf8) })
        #expect(files.allSatisfy { $0.outcome == .removed })
        #expect(folder.names().count == names.count - growing.count)
        #expect(listings == max(1, (names.count + atOnce - 1) / atOnce))
    }

    @Test("D13: New sidecars do not keep a recovery from ending")
    func newOnes() throws {
        for number in 10..<20 { try folder.write("\(number).json", Self.growing) }
        // A newer sidecar is written for each one that is removed.
        let (files, _) = try recover(folder, atOnce: 2) { try folder.write("9\($0.path.suffix(7))", Self.growing) }
        #expect(files.count == 10 && folder.names().count == 10)
    }

    @Test("D13: A sidecar that is written during a recovery, before its audio has a name, stays")
    func begunMeanwhile() throws {
        for number in 10..<20 { try folder.write("\(number).json", Self.growing) }
        var held: CInt = -1
        defer { close(held) }
        let (files, _) = try recover(folder, atOnce: 2) { _ in
            guard held < 0 else { return }
            held = open(try folder.write(".aircheck-1.tmp", [1]), O_RDWR)
            try #require(flock(held, LOCK_EX | LOCK_NB) == 0)
            try folder.write("05.json", Self.growing)
        }
        // While a file is being made in the folder, no sidecar there counts as left behind until the next start.
        #expect(files.count == 2)
        #expect(folder.names() == [".aircheck-1.tmp", "05.json"] + (10..<18).map { "\($0).json" })
    }

    @Test("A folder without recordings is read once, whatever JSON files are in it")
    func foreignFolder() throws {
        try folder.write("a.mp3", [1])
        try makeFolder(folder.file("sub"))
        for number in 10..<20 { try folder.write("sub/\(number).json", Self.growing) }
        let (files, listings) = try recover(folder, atOnce: 2)
        #expect(files.isEmpty && listings == 2 && folder.names(in: "sub").count == 10)
    }

    private func makeFolder(_ path: String) throws { try LinuxFileSystem().makeFolder(path: path) }
}
