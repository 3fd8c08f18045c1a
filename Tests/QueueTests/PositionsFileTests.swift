// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@testable import Queue

@Suite("The file of positions")
struct PositionsFileTests {
    private let folder: TemporaryFolder
    private let system = FaultySystem()
    private let file: PositionsFile
    private let key = ItemKey(address: "http://a.example/1.mp3")
    private let other = ItemKey(address: "http://a.example/2.mp3")
    private var item: QueueItem { episode(key) }
    private var otherItem: QueueItem { episode(other) }

    private func episode(_ key: ItemKey) -> QueueItem {
        var item = QueueItem(key: key, location: .path("/a"))
        item.isEpisode = true
        return item
    }

    init() throws {
        folder = try TemporaryFolder("aircheck-positions")
        file = PositionsFile(folder: folder.file("state/deep/aircheck"), system: system)
    }

    private func change(_ key: ItemKey, _ seconds: Int?) -> PlayPositions.Changes {
        let left = WallInstant(nanoseconds: 1_795_000_000_000_000_000)
        return [key: seconds.map { PlayPosition(.left(at: .seconds($0), of: nil), left: left) }]
    }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        return stat(folder.file(name), &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private var names: [String] {
        get throws { try folder.contents().compactMap { $0.split(separator: "/").dropFirst(3).last.map(String.init) } }
    }

    @Test("The file of positions makes its private folder, and is read again")
    func written() throws {
        #expect(try file.read().positions.isEmpty)
        #expect(try file.update(change(key, 60)).positions.position(of: item) == .seconds(60))
        #expect(try file.read().positions.position(of: item) == .seconds(60))
        #expect(mode("state") == 0o700 && mode("state/deep/aircheck") == 0o700)
        #expect(mode("state/deep/aircheck/positions.json") == 0o600)
        #expect(try names == ["positions.json", "positions.lock"])
    }

    @Test("A write keeps what another process wrote before it")
    func merged() throws {
        let second = PositionsFile(folder: folder.file("state/deep/aircheck"))
        _ = try file.update(change(key, 60))
        _ = try second.update(change(other, 70))
        _ = try file.update(change(key, nil))
        let read = try second.read().positions
        #expect(read.position(of: item) == nil && read.position(of: otherItem) == .seconds(70))
    }

    @Test("An old file with addresses is read, and the next write replaces the addresses")
    func older() throws {
        _ = try file.update(change(other, 70))
        let name = "state/deep/aircheck/positions.json"
        let text = String(decoding: try folder.read(name), as: UTF8.self)
        let older = text.replacing(other.text, with: "url:http://a.example/2.mp3")
        #expect(older != text)
        try folder.write(name, older)
        #expect(try file.read().positions.position(of: otherItem) == .seconds(70))
        _ = try file.update(change(key, 60))
        let written = String(decoding: try folder.read(name), as: UTF8.self)
        #expect(!written.contains("a.example"))
        let read = try file.read().positions
        #expect(read.position(of: item) == .seconds(60) && read.position(of: otherItem) == .seconds(70))
    }

    @Test("Writes of several threads at once lose nothing")
    func atOnce() async throws {
        let path = folder.file("state/deep/aircheck")
        try await TestTools.atOnce(0..<4) { writer in
            for number in 0..<10 {
                let key = ItemKey(path: "/\(writer)/\(number)", size: nil)
                _ = try? PositionsFile(folder: path).update(change(key, 60))
            }
        }
        #expect(try file.read().positions.ordered.count == 40)
    }

    @Test("A nonsensical file is reported when it is read, and set aside when it is written")
    func setAside() throws {
        _ = try file.update(change(key, 60))
        try folder.write("state/deep/aircheck/positions.json", "{\"version\":7")
        #expect(try file.read().error == .notJSON(JSONError(.endOfInput, offset: 12)))
        #expect(try file.update(change(other, 70)).error != nil)
        #expect(try file.read().positions.ordered.map(\.key) == [other] && file.read().error == nil)
        #expect(try folder.read("state/deep/aircheck/positions.json.bad") == Array("{\"version\":7".utf8))
    }

    @Test("A file that is too long is refused without being read")
    func long() throws {
        _ = try file.update(change(key, 60))
        truncate(folder.file("state/deep/aircheck/positions.json"), off_t(PlayPositions.longestText) * 1_000)
        #expect(try file.read().error == .notJSON(JSONError(.tooLong, offset: PlayPositions.longestText)))
    }

    @Test("A link or pipe in place of the file is neither followed nor waited for")
    func notAFile() throws {
        _ = try file.update(change(key, 60))
        let path = folder.file("state/deep/aircheck/positions.json")
        unlink(path)
        mkfifo(path, 0o600)
        #expect(try file.read().error != nil)
        unlink(path)
        symlink("/etc/passwd", path)
        #expect(throws: StorageError.self) { try file.read() }
    }

    @Test("Whatever call fails, the old positions stay, and the next write succeeds")
    func faults() throws {
        _ = try file.update(change(key, 60))
        let before = system.log.count
        _ = try file.update(change(key, 61))
        let calls = system.log.count - before
        #expect(calls > 8)
        for number in 0..<calls {
            let start = system.log.count
            system.setFault { _, count in count == start + 1 + number ? EIO : nil }
            let isWritten = (try? file.update(change(other, 100 + number))) != nil
            system.setFault { _, _ in nil }
            let read = try file.read()
            #expect(read.error == nil && read.positions.position(of: item) == .seconds(61))
            #expect(!isWritten || read.positions.position(of: otherItem) == .seconds(100 + number))
            #expect(try file.update(change(key, 61)).positions.position(of: item) == .seconds(61))
        }
        #expect(try names == ["positions.json", "positions.lock"])
    }

    @Test("A process that dies within any call leaves a whole file", arguments: 1...14)
    func killed(call: Int) throws {
        _ = try file.update(change(key, 60))
        system.kill(at: system.log.count + call)
        _ = try? file.update(change(key, 90))
        let next = PositionsFile(folder: folder.file("state/deep/aircheck"))
        let position = try next.read().positions.position(of: item)
        #expect(position == .seconds(60) || position == .seconds(90))
        #expect(try next.update(change(other, 70)).positions.ordered.count == 2)
        #expect(try names == ["positions.json", "positions.lock"])
    }

    @Test("A full disk is reported, and no temporary file is left")
    func full() throws {
        _ = try file.update(change(key, 60))
        system.setErrors(["pwrite": ENOSPC])
        #expect(throws: StorageError(code: .noSpace, action: .write, path: file.path, errorNumber: ENOSPC)) {
            try file.update(change(other, 70))
        }
        #expect(try names == ["positions.json", "positions.lock"])
    }

    @Test("A file system without locks is written as well")
    func withoutLocks() throws {
        system.setErrors(["waitForLock": ENOLCK])
        #expect(try file.update(change(key, 60)).positions.position(of: item) == .seconds(60))
    }
}
