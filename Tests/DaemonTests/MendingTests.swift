// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats
import Storage
import TestTools
import Testing

@testable import Catalog
@testable import Daemon

/// Files whose names or sidecars somebody has changed, and a rescan.
struct MendingTests {
    let folder: TemporaryFolder
    let catalog: RecordingsCatalog
    private let rebuilt = Monitor<[Int]>([])
    let mended = Monitor<[RebuildFinding]>([])

    init() throws {
        folder = try TemporaryFolder()
        try folder.make("state")
        try folder.make("recordings")
        let (rebuilt, mended) = (rebuilt, mended)
        catalog = try RecordingsCatalog(
            state: folder.file("state"), recordings: folder.file("recordings"),
            zone: FixedZone(offset: 3_600, identifier: "Test"), onNotice: { _ in },
            onFinding: { file in mended.withLock { $0.append(file) } }
        ) { result in
            rebuilt.withLock { $0.append((try? result.get()) ?? -1) }
            rebuilt.signal()
        }
    }

    // MARK: - The rig

    /// A silent frame of layer III that contains a number.
    private static func frame(_ number: Int) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: 417)
        frame.replaceSubrange(0..<4, with: [0xFF, 0xFB, 0x90, 0x44])
        (frame[415], frame[416]) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
        return frame
    }

    static func audio(_ numbers: Range<Int>) -> [UInt8] { numbers.flatMap(frame) }

    private func sidecar(_ numbers: Range<Int>, _ number: Int) throws -> Sidecar {
        try folder.write("measured.mp3", Self.audio(numbers))
        let library = Library(path: folder.path)
        let segment = try #require(library.segment(at: ["measured.mp3"]))
        let found = try #require(try library.describe(segment))
        unlink(folder.file("measured.mp3"))
        var sidecar = found
        let at = CivilTime(.init(nanoseconds: 1_795_000_000_000_000_000), utcOffset: 3_600)
        (sidecar.recording, sidecar.number, sidecar.stationID, sidecar.station) = ("r1", number, "fip", "FIP")
        sidecar.at = at
        sidecar.titles = [Sidecar.Title(at: at, position: 2, text: "Artist - Song")]
        sidecar.gaps = [Sidecar.Gap(at: at, milliseconds: 400, cause: "no data", tried: [], position: 3)]
        sidecar.clockStep = Sidecar.ClockStep(position: 4, milliseconds: -30_000)
        sidecar.show = Sidecar.Show(id: "s", name: "S", from: at, until: at, date: CalendarDate(at).adding(days: 1))
        sidecar.continues = "r0"
        sidecar.isProtected = true
        return sidecar
    }

    func write(
        _ name: String, _ numbers: Range<Int>, _ number: Int = 1, _ change: (inout Sidecar) -> Void = { _ in }
    ) throws {
        var sidecar = try sidecar(numbers, number)
        change(&sidecar)
        try folder.write("recordings/\(name).mp3", Self.audio(numbers))
        try folder.write("recordings/\(name).json", sidecar.encoded)
    }

    func rescan() throws {
        let count = rebuilt.withLock { $0.count }
        catalog.rebuild()
        let result = rebuilt.wait(until: .now + .seconds(30)) { $0.count > count ? $0.last : nil }
        #expect((try #require(result)) >= 0)
    }

    func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (CatalogStore) throws(CatalogError) -> Answer
    ) throws -> Answer {
        let answers = Monitor<Result<Answer, CatalogError>?>(nil)
        catalog.ask(question) { result in
            answers.withLock { $0 = result }
            answers.signal()
        }
        return try #require(answers.wait(until: .now + .seconds(30)) { $0 }).get()
    }

    func detail() throws -> CatalogDetail? {
        try ask { store throws(CatalogError) in try store.detail(of: "r1") }
    }

    func read(_ name: String) -> Sidecar? {
        folder.content(of: "recordings/\(name).json").flatMap(Sidecar.init(parsing:))
    }

    // MARK: - The tests

    @Test("D34: Audio that was renamed or moved gets its sidecar again, by its checksum", arguments: ["b", "sub/b"])
    func renamed(_ name: String) throws {
        try write("a", 0..<10)
        try write("other", 20..<30, 2)
        try rescan()
        try folder.make("recordings/sub")
        rename(folder.file("recordings/a.mp3"), folder.file("recordings/\(name).mp3"))
        try rescan()
        #expect(read(name) == (try sidecar(0..<10, 1)) && folder.content(of: "recordings/a.json") == nil)
        let detail = try #require(try detail())
        #expect(detail.segments.map(\.path).sorted() == ["\(name).mp3", "other.mp3"].sorted())
        #expect(detail.recording.milliseconds == 522 && detail.recording.gaps == 2)
        #expect(mended.withLock { $0.count } == 1)
        // Another rescan has nothing to do.
        try rescan()
        #expect(mended.withLock { $0.count } == 1)
        catalog.close(within: .seconds(10))
    }

    @Test("D34: A lost or broken sidecar is made again from the audio and the catalog", arguments: [false, true])
    func lost(isBroken: Bool) throws {
        try write("a", 0..<10)
        try rescan()
        let sidecar = try sidecar(0..<10, 1)
        if isBroken {
            try folder.write("recordings/a.json", Array(sidecar.encoded.prefix(90)))
        } else {
            unlink(folder.file("recordings/a.json"))
        }
        try rescan()
        #expect(read("a") == sidecar)
        #expect(try detail()?.recording.frames == 10 && detail()?.titles.map(\.text) == ["Artist - Song"])
        // The recording can be deleted again.
        let deleter = RecordingDeleter(path: folder.file("recordings"))
        try deleter.protect("r1", ["a"], false)
        try deleter.delete("r1", ["a"])
        #expect(folder.content(of: "recordings/a.mp3") == nil)
        catalog.close(within: .seconds(10))
    }

    @Test("D34: Without a catalog, the tags say what the audio is, and the same audio always gets the same ID")
    func tags() throws {
        let tag = ID3v2Tag(frames: [
            .text(id: "TSSE", "Aircheck 1.0"), .text(id: "TRSN", "FIP"), .text(id: "TDRC", "2026-11-24T20:15:00"),
        ])
        try folder.write("recordings/a.mp3", tag.encoded(size: 2_048) + Self.audio(0..<10))
        try rescan()
        let made = try #require(read("a"))
        #expect(made.station == "FIP" && made.frames == 10 && made.state == .complete)
        #expect(made.at?.rfc3339 == "2026-11-24T20:15:00.000+01:00")
        let id = try #require(made.recording)
        #expect(
            id.count == 16
                && id == String(repeating: "0", count: 16 - String(made.checksum ?? 0, radix: 16).count)
                    + String(made.checksum ?? 0, radix: 16)
        )
        catalog.close(within: .seconds(10))
    }

    @Test("D34: Other audio than the recorded audio, and audio of other programs, gets no sidecar")
    func foreign() throws {
        try write("a", 0..<10)
        try folder.write("recordings/song.mp3", Self.audio(50..<60))
        try rescan()
        unlink(folder.file("recordings/a.json"))
        try folder.write("recordings/a.mp3", Self.audio(70..<75))
        try rescan()
        #expect(folder.names(in: "recordings") == ["a.mp3", "song.mp3"])
        #expect(try detail() == nil && mended.withLock { $0.isEmpty })
        catalog.close(within: .seconds(10))
    }

    @Test("D34: A copy of audio takes the sidecar of nobody: it gets one of its own") func copy() throws {
        try write("a", 0..<10)
        try folder.write("recordings/copy.mp3", Self.audio(0..<10))
        try rescan()
        #expect(try read("a") == sidecar(0..<10, 1) && read("copy") == sidecar(0..<10, 1))
        #expect(try detail()?.copies == [CatalogCopy(path: "copy.mp3", original: "a.mp3")])
        catalog.close(within: .seconds(10))
    }
}
