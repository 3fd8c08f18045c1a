// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Storage

/// The recordings of a folder, read through their sidecars.
@Suite("Library")
struct LibraryTests {
    private let folder: TemporaryFolder
    private let library: Library

    init() throws {
        folder = try TemporaryFolder()
        library = Library(path: folder.path)
    }

    private func sidecar(
        _ recording: String? = "r", _ number: Int = 1, _ state: Sidecar.State = .complete, previous: String? = nil,
        next: String? = nil
    ) -> [UInt8] {
        var sidecar = Sidecar(state, at: CivilTime(WallInstant(nanoseconds: 0), in: FixedZone.utc), frames: 1, bytes: 1)
        (sidecar.recording, sidecar.number, sidecar.previous, sidecar.next) = (recording, number, previous, next)
        return sidecar.encoded
    }

    private func segments(_ library: Library? = nil) throws -> [LibrarySegment] {
        Array(try (library ?? self.library).walk())
    }

    @Test("Complete, growing and orphaned files are listed as such, newest first, without foreign files")
    func kinds() throws {
        try folder.write("1.mp3", [1, 2, 3])
        try folder.write("1.json", sidecar())
        try folder.write("2.mp3.part", [1])
        try folder.write("2.json", sidecar("s", 1, .growing))
        try folder.write("3.opus", [1])
        try folder.write("4.json", sidecar("t"))
        try folder.write("5.mp3", [1])
        try folder.write("5.json", Array("{\"title\": \"somebody's\"}".utf8))
        for name in ["notes.json", "cover.jpg", "list.part", ".6.mp3", ".aircheck-1.tmp", "mp3", ".mp3"] {
            try folder.write(name, Array("x".utf8))
        }
        let found = try segments()
        #expect(found.map(\.base) == ["5", "4", "3", "2", "1"])
        #expect(found.map { $0.sidecar?.recording } == [nil, "t", nil, "s", "r"])
        #expect(found.map(\.fileName) == ["5.mp3", nil, "3.opus", "2.mp3.part", "1.mp3"])
        #expect(found.map(\.isGrowing) == [false, false, false, true, false])
        #expect(found.map { $0.audio?.bytes } == [1, nil, 1, 1, 3])
        #expect([found[0], found[2]].allSatisfy { $0.description == .missing })
    }

    @Test("D34: Audio that no sidecar describes is measured, so that it can be exported") func undescribed() throws {
        try folder.write("song.mp3", (0..<5).flatMap(WriterRig.frame))
        let found = try #require(library.segment(at: ["song.mp3"]))
        #expect(found.sidecar == nil)
        let measured = try library.measured(found)
        #expect(measured.sidecar?.frames == 5 && Excerpt([measured], from: nil, until: nil).parts.count == 1)
    }

    @Test("A part that gets its final name while it is looked for is found")
    func renamed() throws {
        try folder.write("1.mp3.part", [1, 2, 3])
        let (part, final) = (folder.file("1.mp3.part"), folder.file("1.mp3"))
        let looks = Monitor(0)
        let system = FaultySystem { call, _ in
            guard call == "statusOfName" else { return nil }
            // The first look is for the final name, and the file gets that name right after it.
            let isAfterIt = looks.withLock { looks in
                looks += 1
                return looks == 2
            }
            if isAfterIt { rename(part, final) }
            return nil
        }
        #expect(try segments(Library(path: folder.path, system: system)).map(\.fileName) == ["1.mp3"])
    }

    @Test("A damaged sidecar is reported, beside audio or by its first bytes")
    func damaged() throws {
        let whole = sidecar()
        for name in ["a", "b", "c", "d", "e"] where name != "b" { try folder.write("\(name).mp3", [1]) }
        try folder.write("a.json", Array(whole.prefix(40)))
        try folder.write("b.json", Array(whole.prefix(40)))
        try folder.write("c.json", [])
        try folder.write("d.json", Array("{\"aircheck\": 2}".utf8))
        try folder.write("e.json", Array("{\"aircheck\": 1}".utf8))
        try folder.write("f.json", [UInt8](repeating: 0, count: 100))
        let found = Dictionary(uniqueKeysWithValues: try segments().map { ($0.base, $0.description) })
        #expect(found.keys.sorted() == ["a", "b", "c", "d", "e"])
        for name in ["a", "b", "c"] {
            guard case .damaged(.content(.notJSON))? = found[name] else {
                Issue.record("\(name): \(String(describing: found[name]))")
                continue
            }
        }
        #expect(found["d"] == .damaged(.content(.otherVersion(2))))
        #expect(found["e"] == .damaged(.content(.incomplete)))
    }

    @Test("An unreadable sidecar is reported, and so is one that is too long")
    func unreadable() throws {
        try folder.write("a.mp3", [1])
        try folder.write("a.json", sidecar())
        let system = FaultySystem { call, _ in call == "openToRead" ? EACCES : nil }
        let found = try segments(Library(path: folder.path, system: system))
        #expect(found.map(\.description) == [.damaged(.unreadable(EACCES))])
        truncate(folder.file("a.json"), off_t(Sidecar.maximumLength + 1))
        #expect(try segments().map(\.description) == [.damaged(.tooLong)])
    }

    @Test("No link is followed, be it a file, a sidecar, a folder or the path in a sidecar")
    func links() throws {
        let outside = try TemporaryFolder()
        let secret = try outside.write("secret.mp3", [1, 2])
        try outside.write("secret.json", sidecar())
        symlink(secret, folder.file("a.mp3"))
        try folder.write("b.mp3", [1])
        symlink(outside.file("secret.json"), folder.file("b.json"))
        symlink(outside.path, folder.file("below"))
        let found = try segments()
        #expect(found.map(\.base) == ["b"] && found.first?.description == .missing)
        #expect(library.segment(at: ["below", "secret.mp3"]) == nil)
        for path in [["..", "x.mp3"], ["", "b.mp3"], [".", "b.mp3"], ["a/../b.mp3"]] {
            #expect(library.segment(at: path) == nil)
        }
        for link in ["../secret.mp3", "/etc/passwd", "a//b.mp3", "./b.mp3", ""] {
            #expect(LibraryRecording.path(of: link, from: []) == nil)
        }
        #expect(LibraryRecording.path(of: "../10/b.mp3", from: ["2026", "11"]) == ["2026", "10", "b.mp3"])
    }

    @Test("Subfolders are listed after their folder, later names first, and a page may continue anywhere")
    func pages() throws {
        var names: [[String]] = []
        for (folders, count) in [([], 5), (["2026"], 3), (["2026", "11"], 4), (["2026", "10"], 1), (["2025"], 7)] {
            let path = folders.joined(separator: "/")
            if !path.isEmpty { mkdir(folder.file(path), 0o755) }
            for number in (10..<10 + count).reversed() {
                try folder.write(path.isEmpty ? "\(number).mp3" : "\(path)/\(number).mp3", [1])
                try folder.write(path.isEmpty ? "\(number).json" : "\(path)/\(number).json", sidecar("\(number)"))
                names.append(folders + ["\(number).mp3"])
            }
        }
        #expect(try segments().map(\.path) == names)
        for count in [1, 2, 3, 7, 100] {
            var found: [[String]] = []
            var place: LibraryPlace?
            repeat {
                let page = try library.page(after: place, atMost: count)
                found += page.segments.map(\.path)
                #expect(page.segments.count <= count)
                place = page.next
            } while place != nil
            #expect(found == names)
        }
        // The file and the folder that a place names may have been removed.
        let page = try library.page(after: LibraryPlace(folders: ["2026", "105"], name: "x.mp3"), atMost: 100)
        #expect(page.segments.map(\.path) == Array(names[12...]))
        let rest = try library.page(after: LibraryPlace(folders: ["2026"], name: "11x.mp3"), atMost: 100)
        #expect(rest.segments.map(\.path) == Array(names[6...]))
    }

    @Test("A listing holds few names at a time, and needs a fixed number of calls for each file")
    func bounded() throws {
        for number in 1_000..<1_300 {
            try folder.write("\(number).mp3", [1])
            try folder.write("\(number).json", sidecar("\(number)"))
        }
        let system = FaultySystem()
        let all = Array(try Library(path: folder.path, system: system).walk(namesAtOnce: 50))
        #expect(all.map(\.base) == (1_000..<1_300).reversed().map { "\($0)" })
        #expect(system.log.count { $0 == "names" } == 600 / 50 && system.log.count <= 300 * 10 + 100)
    }

    @Test("A recording is assembled from the links of its segments, in any folders")
    func recording() throws {
        mkdir(folder.file("10"), 0o755)
        mkdir(folder.file("11"), 0o755)
        try folder.write("10/a.mp3", [1])
        try folder.write("10/a.json", sidecar("r", 1, next: "b.mp3"))
        try folder.write("10/b.json", sidecar("r", 2, previous: "a.mp3", next: "../11/c.mp3"))
        try folder.write("11/c.mp3.part", [1])
        try folder.write("11/c.json", sidecar("r", 3, .growing, previous: "../10/b.mp3"))
        try folder.write("11/d.mp3", [1])
        try folder.write("11/d.json", sidecar("other", 1, next: "c.mp3"))
        let middle = try #require(library.segment(at: ["10", "b.mp3"]))
        let recording = library.recording(of: middle)
        #expect(recording.id == "r" && recording.segments.map(\.base) == ["a", "b", "c"])
        #expect(recording.state == .growing && recording.withoutAudio == [middle] && recording.missing == [])
        let all = LibraryRecording.grouping(try segments())
        #expect(all.map(\.id) == ["other", "r"] && all[1] == recording)
        // These links lead to another recording, or in a circle.
        let other = try #require(library.segment(at: ["11", "d.mp3"]))
        #expect(library.recording(of: other).segments == [other])
        try folder.write("10/a.json", sidecar("r", 1, previous: "../11/c.mp3", next: "a.mp3"))
        #expect(library.recording(of: middle).segments.count == 3)
    }

    @Test("A segment named by its neighbours is missing, unless it exists under another name")
    func missing() throws {
        func segment(
            _ base: String, _ number: Int, previous: String? = nil, next: String? = nil
        ) throws -> LibrarySegment {
            let sidecar = try Sidecar(reading: sidecar("r", number, previous: previous, next: next))
            return LibrarySegment(
                folders: [], base: base, audio: .init(fileExtension: "mp3", bytes: 1, isPart: false),
                description: .sidecar(sidecar))
        }
        let segments = [
            try segment("a", 1, next: "b.mp3"), try segment("b (2)", 2, previous: "a.mp3", next: "c.mp3"),
            try segment("d", 4, previous: "c.mp3", next: "e.mp3"),
        ]
        let recording = LibraryRecording(id: "r", segments: segments.reversed())
        #expect(recording.segments == segments && recording.missing == [["c.mp3"], ["e.mp3"]])
        // The rest of a file that was cut has a later number than the file after it.
        let cut = [
            try segment("a", 1, next: "r.mp3"), try segment("r", 3, previous: "a.mp3", next: "b.mp3"),
            try segment("b", 2, previous: "r.mp3"),
        ]
        #expect(LibraryRecording(id: "r", segments: cut.shuffled()).segments == cut)
    }

    @Test("Audio without a sidecar is described by its frames")
    func frames() throws {
        let frame = { (number: Int) in WriterRig.frame(number) }
        let tag = ID3v2Tag(frames: [.text(id: "TIT2", "x")]).encoded(size: 2_048)
        try folder.write("a.mp3", tag + (0..<300).flatMap(frame))
        let segment = try #require(try segments().first)
        let sidecar = try #require(try library.describe(segment))
        #expect(sidecar.frames == 300 && sidecar.state == .complete && sidecar.format == WriterRig.format)
        #expect(sidecar.bytes == Int64(300 * frame(0).count))
        unlink(folder.file("a.mp3"))
        #expect(throws: StorageError.self) { try library.describe(segment) }
    }

    @Test("A missing folder is an error")
    func noFolder() throws {
        #expect(throws: StorageError.self) { try Library(path: folder.file("none")).walk() }
    }
}
