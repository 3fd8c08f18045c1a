// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Catalog

/// A catalog that is damaged, open elsewhere, or of another version.
struct CatalogDamageTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let store = try CatalogStore(folder: folder.path)
        try store.beginRebuilding()
        try store.put(Segments.many(120))
        try store.finishRebuilding()
    }

    private var path: String { folder.file(CatalogStore.name) }

    @Test("A catalog that is garbage, a folder or cut off is set aside") func unreadableFiles() throws {
        let whole = try folder.read(CatalogStore.name)
        #expect(try CatalogStore(folder: folder.path).opening == .init())
        let contents: [[UInt8]] = [
            Array("no database at all, but long enough to look like one".utf8), Array(whole.prefix(5_000)),
            Array(whole.prefix(whole.count / 2)), [UInt8](repeating: 0, count: 8_192),
        ]
        for (number, content) in contents.enumerated() {
            for end in ["-wal", "-shm"] { unlink(path + end) }
            try folder.write(CatalogStore.name, content)
            let store = try CatalogStore(folder: folder.path)
            #expect(store.opening.isNew && store.opening.setAside == "\(path).bad-\(number + 1)", "\(number)")
            try store.put(Segments.many(3))
        }
        unlink(path)
        mkdir(path, 0o755)
        #expect(try CatalogStore(folder: folder.path).opening.setAside != nil)
        unlink(path)
        #expect(try CatalogStore(folder: folder.path).opening == .init(isNew: true))
    }

    @Test("Flipped bytes in the catalog are reported as damage or do no harm") func flippedBytes() throws {
        for end in ["-wal", "-shm"] { unlink(path + end) }
        let whole = try folder.read(CatalogStore.name)
        var random = SplitMix64(seed: 7)
        for _ in 0..<150 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            }
            for end in ["-wal", "-shm"] { unlink(path + end) }
            try folder.write(CatalogStore.name, bytes)
            do throws(CatalogError) {
                let store = try CatalogStore(folder: folder.path)
                try store.put(Segments.many(9))
                _ = try store.recordings(CatalogQuery())
                _ = try store.titles(matching: "song", limit: 9)
            } catch {
                switch error {
                case .damaged, .failed, .newer: break
                case .noLibrary, .locked, .noSpace: Issue.record("\(error)")
                }
            }
        }
    }

    @Test("A catalog of a newer version is left unchanged") func newerVersion() throws {
        try Database(path: path).run("PRAGMA user_version = 99")
        #expect(throws: CatalogError.newer(version: 99)) { try CatalogStore(folder: folder.path) }
        try Database(path: path).run("PRAGMA user_version = \(Schema.steps.count)")
        #expect(try CatalogStore(folder: folder.path).recordings(CatalogQuery()).isEmpty == false)
    }

    @Test("Two stores may have the same catalog open") func openTwice() throws {
        let (one, two) = (try CatalogStore(folder: folder.path), try CatalogStore(folder: folder.path))
        try one.put(Segments.many(30))
        try two.put(Segments.many(60))
        #expect(try one.recordings(CatalogQuery()).count == two.recordings(CatalogQuery()).count)
    }

    @Test("The catalog thread continues with a new catalog after damage, and reports it") func damageInUse() throws {
        let notices = Watched<[String]>([])
        let thread = try CatalogThread(folder: folder.path) { notice in notices.change { $0.append("\(notice)") } }
        let done = Watched(0)
        thread.ask({ store throws(CatalogError) in try store.recordings(CatalogQuery()).count }) { answer in
            done.change { $0 += (try? answer.get()) ?? 0 }
        }
        thread.ask({ _ throws(CatalogError) -> Int in throw .damaged("for the test") }) { _ in done.change { $0 += 100 }
        }
        thread.put { Segments.many(3) }
        thread.ask({ store throws(CatalogError) in try store.recordings(CatalogQuery()).count }) { answer in
            done.change { $0 += 1_000 * ((try? answer.get()) ?? 0) }
        }
        thread.close(within: .seconds(10))
        #expect(done.value == 40 + 100 + 1_000)
        #expect(notices.value.count == 3 && notices.value[2].contains("bad-1"), "\(notices.value)")
    }

    @Test("A catalog that is deleted while it is in use is made again, and this is reported") func deletedInUse() throws
    {
        let notices = Watched<[String]>([])
        let thread = try CatalogThread(folder: folder.path) { notice in notices.change { $0.append("\(notice)") } }
        let counts = Watched<[Int]>([])
        let (path, folder) = (path, folder)
        thread.ask({ store throws(CatalogError) in try store.recordings(CatalogQuery()).count }) { answer in
            counts.change { $0.append((try? answer.get()) ?? -1) }
            unlink(path)
        }
        thread.put { Segments.many(3) }
        thread.ask({ store throws(CatalogError) in try store.recordings(CatalogQuery()).count }) { answer in
            counts.change { $0.append((try? answer.get()) ?? -1) }
        }
        thread.close(within: .seconds(10))
        #expect(counts.value == [40, 1] && notices.value.count == 3, "\(counts.value) \(notices.value)")
        #expect(folder.content(of: CatalogStore.name) != nil)
    }

    @Test("D9: That the catalog has missed changes is said once, until it is current again") func behind() throws {
        let notices = Monitor([Bool]())
        let thread = try CatalogThread(folder: folder.path) { notice in
            guard case .fellBehind(let again) = notice else { return }
            notices.withLock { $0.append(again) }
            notices.signal()
        }
        func miss() {
            let count = notices.withLock { $0.count }
            thread.update { _ throws(CatalogError) in throw .locked }
            _ = notices.wait(until: .read() + .seconds(20)) { $0.count > count ? true : nil }
        }
        miss()
        miss()
        thread.update { store throws(CatalogError) in
            try store.beginRebuilding()
            try store.finishRebuilding()
        }
        miss()
        #expect(notices.withLock { $0 } == [false, true, false])
        thread.close(within: .seconds(5))
    }
}
