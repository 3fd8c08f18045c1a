// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import Storage
import TestSupport
import TestTools
import Testing

@testable import Catalog
@testable import Daemon

/// Copies that a user makes of recorded files inside the recordings folder.
extension MendingTests {
    private static let now = WallInstant(nanoseconds: 1_796_000_000_000_000_000)

    /// A file as it was recorded: which of its recording, with which frames.
    private struct Content: Hashable {
        var recording: String
        var number: Int
        var frames: Range<Int>
        var day: Int
    }

    private static let contents = [
        Content(recording: "a", number: 1, frames: 0..<10, day: 0),
        Content(recording: "a", number: 2, frames: 10..<25, day: 0),
        Content(recording: "b", number: 1, frames: 30..<42, day: 1),
        Content(recording: "c", number: 1, frames: 50..<57, day: 2),
    ]

    private func write(_ name: String, _ content: Content) throws {
        try write(name, content.frames, content.number) { sidecar in
            let at = CivilTime(Self.now - .seconds(86_400 * (9 - content.day)), utcOffset: 0)
            (sidecar.recording, sidecar.isProtected, sidecar.continues) = (content.recording, false, nil)
            sidecar.at = CivilTime(at.instant + .seconds(content.number), utcOffset: 0)
            sidecar.show = Sidecar.Show(id: "s", name: "S", from: at, until: at)
        }
    }

    /// What a user does to the files of a recordings folder. The key of a file is its path without extension.
    private struct User {
        let rig: MendingTests
        var files: [String: Content] = [:]
        private var count = 0

        init(_ rig: MendingTests) { self.rig = rig }

        private func path(_ name: String, _ end: String) -> String { rig.folder.file("recordings/\(name).\(end)") }

        private func copy(_ from: String, _ to: String, _ end: String) throws {
            guard let bytes = rig.folder.content(of: "recordings/\(from).\(end)") else { return }
            try rig.folder.write("recordings/\(to).\(end)", bytes)
        }

        mutating func act(_ random: inout SplitMix64) throws -> String {
            guard let name = files.keys.sorted().randomElement(using: &random), let content = files[name] else {
                return ""
            }
            count += 1
            let folder = ["", "sub/", "sub/deep/"].randomElement(using: &random) ?? ""
            let new = "\(folder)\(["0", "z", name.replacing("/", with: "-") + " copy"][count % 3])\(count)"
            let action = Int.random(in: 0..<8, using: &random)
            switch action {
            case 0, 1, 2:
                try copy(name, new, "mp3")
                if action < 2 { try copy(name, new, "json") }
                files[new] = content
            case 3, 4:
                rename(path(name, "mp3"), path(new, "mp3"))
                if action == 3 { rename(path(name, "json"), path(new, "json")) }
                files[name] = nil
                files[new] = content
            case 5: unlink(path(name, "json"))
            case 6:
                unlink(path(name, "mp3"))
                unlink(path(name, "json"))
                files[name] = nil
            default:
                unlink(path(name, "mp3"))
                files[name] = nil
            }
            return "\(action) \(name) -> \(new)"
        }

        /// The different contents that are left.
        var left: Set<Content> { Set(files.values) }
    }

    /// What the catalog says against the contents that are left.
    private func complaints(_ left: Set<Content>) throws -> [String] {
        let details = try ask { store throws(CatalogError) -> [CatalogDetail] in
            var details: [CatalogDetail] = []
            for recording in try store.recordings(CatalogQuery()) {
                if let detail = try store.detail(of: recording.id) { details.append(detail) }
            }
            return details
        }
        let expected = Dictionary(grouping: left, by: \.recording)
        var complaints: [String] = []
        if Set(details.map(\.recording.id)) != Set(expected.keys) {
            complaints.append("listed: \(details.map(\.recording.id).sorted()), not \(expected.keys.sorted())")
        }
        let library = Library(path: folder.file("recordings"), depth: 3)
        for detail in details {
            let audio = (expected[detail.recording.id] ?? []).sorted { $0.number < $1.number }
                .flatMap { Self.audio($0.frames) }
            if detail.recording.bytes != audio.count || detail.recording.frames * 417 != audio.count {
                complaints.append("\(detail.recording.id) has \(detail.recording.bytes) bytes, not \(audio.count)")
            }
            let segments = detail.segments.compactMap {
                library.segment(at: $0.path.split(separator: "/").map(String.init))
            }
            for segment in segments {
                let check = try library.check(segment)
                if check?.flaws(of: segment).isEmpty != true { complaints.append("verify \(segment.path)") }
            }
            let recording = LibraryRecording(id: detail.recording.id, segments: segments)
            let exporter = RecordingExporter(path: folder.file("recordings"))
            _ = try exporter.export(Excerpt(recording, from: nil, until: nil), toFile: folder.file("export"))
            if try folder.read("export") != audio { complaints.append("the export of \(detail.recording.id)") }
        }
        return complaints
    }

    /// Keeps the last recording of the show, and returns the IDs of those that were deleted.
    private func retain() throws -> [String] {
        let run = RetentionRun(keepingLastIn: folder, now: Self.now)
        let outcome = try ask { store throws(CatalogError) in try run.perform(store) }
        #expect(outcome.deletions.allSatisfy { $0.refusal == nil })
        return outcome.deletions.map(\.recording)
    }

    private func audioOnDisk(_ content: Content) throws -> Int {
        let audio = Self.audio(content.frames)
        return try folder.contents().count { try $0.hasSuffix(".mp3") && folder.read($0) == audio }
    }

    @Test("D34: Copies never count, whatever a user does to them, and retention leaves them alone", arguments: 1...12)
    func copies(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        try folder.make("recordings/sub")
        try folder.make("recordings/sub/deep")
        var user = User(self)
        for (index, content) in Self.contents.enumerated() {
            user.files["m\(index)"] = content
            try write("m\(index)", content)
        }
        try rescan()
        var log: [String] = []
        for _ in 0..<12 {
            for _ in 0..<Int.random(in: 1...5, using: &random) { log.append(try user.act(&random)) }
            try rescan()
            log.append("rescan")
            let complaints = try complaints(user.left)
            #expect(complaints.isEmpty, "\(complaints)\n\(log.joined(separator: "\n"))")
            if !complaints.isEmpty { break }
        }
        // Retention deletes one file of each older content, and never a copy that is left.
        let newest = user.left.max { $0.day < $1.day }?.recording
        let before = try Self.contents.map(audioOnDisk)
        let deleted = try retain()
        let old = user.left.filter { $0.recording != newest }
        #expect(Set(deleted) == Set(old.map(\.recording)) && deleted.count == Set(deleted).count)
        for _ in 0..<2 {
            #expect(try retain().isEmpty)
            let after = try Self.contents.map(audioOnDisk)
            #expect(after == zip(before, Self.contents).map { old.contains($1) ? $0 - 1 : $0 }, "\(log)")
            try rescan()
        }
        catalog.close(within: .seconds(10))
    }

    @Test("D34: A copy that was made while the file grew does no harm, and is said once to be one")
    func copiesOfGrowing() throws {
        let content = Self.contents[0]
        try write("whole", content)
        for (name, end) in [("a", "mp3.part"), ("b", "mp3")] {
            try write(name, content)
            unlink(folder.file("recordings/\(name).mp3"))
            try folder.write("recordings/\(name).\(end)", Self.audio(content.frames.prefix(4)))
            var sidecar = try #require(read(name))
            (sidecar.frames, sidecar.bytes, sidecar.samples) = (4, 4 * 417, 4 * 1_152)
            (sidecar.state, sidecar.checksum) = (.growing, nil)
            try folder.write("recordings/\(name).json", sidecar.encoded)
        }
        for _ in 1...2 {
            try rescan()
            let recording = try ask { store throws(CatalogError) in try store.detail(of: "a") }
            #expect(recording?.segments.map(\.catalogPath) == ["whole"] && recording?.recording.state == .complete)
            #expect(recording?.copies.map(\.path) == ["a.mp3", "b.mp3"])
            #expect(try complaints([content]).isEmpty)
            let told = mended.withLock { $0.compactMap { if case .copy(let copy) = $0 { copy } else { nil } } }
            #expect(told == recording?.copies)
        }
        #expect(try retain().isEmpty)
        catalog.close(within: .seconds(10))
    }

    @Test("D36: A growing file that was renamed is listed once, and is no copy") func renamedGrowing() throws {
        func name(_ name: String) throws {
            try folder.write("recordings/\(name).mp3.part", Self.audio(Self.contents[0].frames))
            try write(name, Self.contents[0])
            unlink(folder.file("recordings/\(name).mp3"))
            var sidecar = try #require(read(name))
            (sidecar.state, sidecar.checksum) = (.growing, nil)
            try folder.write("recordings/\(name).json", sidecar.encoded)
            catalog.noteRecorded(path: folder.file("recordings/\(name).mp3.part"))
        }
        try name("first")
        for end in ["mp3.part", "json"] { unlink(folder.file("recordings/first.\(end)")) }
        try name("mine")
        let detail = try ask { store throws(CatalogError) in try store.detail(of: "a") }
        #expect(detail?.segments.map(\.catalogPath) == ["mine"] && detail?.copies.isEmpty == true)
        catalog.close(within: .seconds(10))
    }

    @Test("D34: A copy takes the place of a file that is gone, and is not deleted for the age of the deleted one")
    func copyInPlace() throws {
        for content in Self.contents[2...] { try write("\(content.recording)", content) }
        try rescan()
        try write("0", Self.contents[2])
        try rescan()
        // The file that was known first counts.
        let detail = try ask { store throws(CatalogError) in try store.detail(of: "b") }
        #expect(detail?.segments.map(\.catalogPath) == ["b"])
        #expect(try retain() == ["b"] && folder.content(of: "recordings/b.mp3") == nil)
        #expect(try complaints([Self.contents[2], Self.contents[3]]).isEmpty)
        for _ in 1...2 {
            #expect(try retain().isEmpty && folder.content(of: "recordings/0.mp3") != nil)
            try rescan()
        }
        catalog.close(within: .seconds(10))
    }

    @Test("D34: A new catalog knows what was deleted, so a copy of it stays") func lostCatalog() throws {
        for content in Self.contents[2...] { try write("\(content.recording)", content) }
        try write("kept", Self.contents[2])
        try rescan()
        #expect(try retain() == ["b"])
        catalog.close(within: .seconds(10))
        for name in folder.names(in: "state") where name.hasPrefix("catalog") { unlink(folder.file("state/\(name)")) }
        let rebuilds = Watched(0)
        let new = try RecordingsCatalog(
            state: folder.file("state"), recordings: folder.file("recordings"), onNotice: { _ in },
            onRebuilt: { _ in rebuilds.change { $0 += 1 } })
        new.rebuild()
        #expect(rebuilds.wait(within: .seconds(30)) { $0 > 0 ? true : nil } == true)
        let kept = Watched<Set<String>>([])
        new.ask({ store throws(CatalogError) -> Set<String> in
            var kept: Set<String> = []
            try store.forEachUnit { if $0.isProtected { kept.insert($0.recording) } }
            return kept
        }) { answer in kept.change { $0 = (try? answer.get()) ?? [] } }
        new.close(within: .seconds(10))
        #expect(kept.value == ["b"])
    }
}
