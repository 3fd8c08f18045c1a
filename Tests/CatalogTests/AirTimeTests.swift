// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestTools
import Testing

@testable import Catalog

/// The catalog's lengths are air time, and its recordings continue each other as their files say.
struct AirTimeTests {
    private let folder: TemporaryFolder
    private let store: CatalogStore

    init() throws {
        folder = try TemporaryFolder()
        store = try CatalogStore(folder: folder.path)
    }

    /// A segment with a changed sidecar.
    private static func make(
        _ recording: String, _ number: Int = 1, show: String? = nil, hour: Int = 0, _ change: (inout Sidecar) -> Void
    ) -> LibrarySegment {
        var segment = Segments.make(recording, number, show: show, hour: hour)
        guard case .sidecar(var sidecar) = segment.description else { return segment }
        change(&sidecar)
        segment.description = .sidecar(sidecar)
        return segment
    }

    private static func gap(_ seconds: Double, at position: Int64) -> Sidecar.Gap {
        Sidecar.Gap(
            at: CivilTime(Segments.start, utcOffset: 0), milliseconds: Int64(seconds * 1_000), cause: "away", tried: [],
            position: position)
    }

    @Test("A recording ends when its last audio was on air: gaps took air time, except the one before the first frame")
    func end() throws {
        try store.put([
            Self.make("a") { $0.gaps = [Self.gap(100, at: 0), Self.gap(8.4, at: 20), Self.gap(5, at: $0.frames)] }
        ])
        let recording = try #require(try store.detail(of: "a")).recording
        let end = Segments.start + .seconds(3_600) + .milliseconds(13_400)
        #expect(recording.ended?.instant == end && recording.length == .milliseconds(3_613_400))
        #expect(recording.milliseconds == 3_600_000 && recording.missingMilliseconds == 113_400)
        #expect(try store.end(ofRecording: "a") == end && store.end(ofRecording: "b") == nil)
        // Everything that asks when a file has ended means that end.
        let last = end - .milliseconds(1)
        #expect(try store.logFiles(of: "fip", in: last..<last + .seconds(1)).count == 1)
        #expect(try store.coverage(ofRecordings: ["a"]).files.map(\.end) == [end])
        var ends: [WallInstant?] = []
        try store.forEachUnit { ends.append($0.ended) }
        #expect(ends == [end])
    }

    @Test(
        "I3: A step of the clock, in a file or between two, does not change the length of a recording",
        arguments: [-40, 40])
    func steps(seconds: Int64) throws {
        try store.put([
            Self.make("a") { $0.clockStep = Sidecar.ClockStep(position: 9, milliseconds: -20_000) },
            Self.make("a", 2, hour: 1) { sidecar in
                sidecar.at = sidecar.at.map { CivilTime($0.instant + .seconds(seconds - 20), utcOffset: 0) }
                sidecar.gaps = [Self.gap(3, at: 0)]
            },
        ])
        #expect(try store.detail(of: "a")?.recording.length == .seconds(7_203))
    }

    @Test("What is foreign in a recording's files is known, and counts once, also after the sidecars are lost")
    func foreign() throws {
        func stretch(_ position: Int64, _ frames: Int64, at seconds: Int) -> Sidecar.Stretch {
            Sidecar.Stretch(
                at: CivilTime(Segments.start + .seconds(seconds), utcOffset: 0), milliseconds: frames * 26,
                position: position, frames: frames)
        }
        let last: Int64 = 137_812 - 100
        let first = Self.make("a") { $0.foreign = [stretch(500, 40, at: 13), stretch(last, 1_000, at: 3_597)] }
        try store.put([first, Self.make("a", 2) { $0.foreign = [stretch(0, 50, at: 3_600)] }])
        let files = try store.coverage(ofRecordings: ["a"]).files
        #expect(
            files.map(\.foreign) == [
                [stretch(500, 40, at: 13), stretch(last, 100, at: 3_597)], [stretch(0, 50, at: 3_600)],
            ])
        let own = files.own
        #expect(own.frames == 2 * 137_812 - 190 && own.absences.map(\.position) == [500, last])
        #expect(own.absences.map(\.length) == [.milliseconds(40 * 26), .milliseconds(150 * 26)])
        var lost = try #require(first.sidecar)
        lost.foreign = []
        #expect(try store.restore(lost, path: ["fip", "a 1"])?.foreign == files[0].foreign)
    }

    @Test("A recording that still grows is found on each day since it began") func growing() throws {
        try store.put([Segments.make("a", state: .growing)])
        var query = CatalogQuery()
        query.from = CivilTime(Segments.start + .seconds(86_400 * 3), utcOffset: 0)
        #expect(try store.recordings(query).map(\.id) == ["a"])
        try store.put([Segments.make("a")])
        #expect(try store.recordings(query).isEmpty)
    }

    @Test("What a recording's first file says that it continues counts, whatever the clock showed")
    func continuation() throws {
        let first = Self.make("first", show: "jazz") { _ in }
        // The clock was set back, so the second recording seems to begin first, and to be shorter while it grows.
        let second = Self.make("second", show: "jazz") {
            $0.show = first.sidecar?.show
            $0.at = CivilTime(Segments.start - .seconds(30), utcOffset: 0)
            ($0.continues, $0.state, $0.samples) = ("first", .growing, 0)
        }
        let log = Self.make("log 2", hour: 5) { $0.continues = "log 1" }
        try store.put([first, second, log])
        let all = Dictionary(uniqueKeysWithValues: try store.recordings(CatalogQuery()).map { ($0.id, $0) })
        #expect(all.compactMapValues { $0.earlier?.id } == ["second": "first", "log 2": "log 1"])
        #expect(all["second"]?.earlier?.ended?.instant == Segments.start + .seconds(3_600))
        // The recording from before was deleted.
        #expect(all["log 2"]?.earlier?.ended == nil)
        #expect(all.filter(\.value.isContinued).keys.sorted() == ["first"])
    }

    @Test("A title that is on air when a new file begins is listed once") func title() throws {
        let at = CivilTime(Segments.start + .seconds(3_500), utcOffset: 7_200)
        func title(_ position: Int64) -> Sidecar.Title {
            Sidecar.Title(at: at, position: position, text: "A - Long Song")
        }
        try store.put([
            Self.make("a", 1) { $0.titles = [title(500)] }, Self.make("a", 2) { $0.titles = [title(0)] },
            Self.make("b", 2) { $0.titles = [title(0)] },
        ])
        #expect(try store.titles(matching: "long", limit: 9).map(\.recording).sorted() == ["a", "b"])
        #expect(try store.detail(of: "a")?.titles.count == 1)
        // Each file by itself has it.
        #expect(try store.detail(of: "a.1")?.titles.count == 1 && store.detail(of: "a.2")?.titles.count == 1)
        // Without the first file, the second one still has the title.
        try store.remove(paths: ["fip/a 1"], of: "a")
        #expect(try store.titles(matching: "long", limit: 9).count == 2)
    }

    @Test("A file of a recording has a name of its own: the recording's ID, a dot, and its number") func file() throws {
        try store.put([
            Self.make("log", 1) { $0.gaps = [Self.gap(1, at: 5)] }, Segments.make("log", 2, titles: ["A - B"]),
            Segments.make("log.2", 1), Segments.make("show", 1),
            Self.make("show", 2) { $0.number = nil },
        ])
        let beginning = try #require(try store.detail(of: "show.0"))
        #expect(beginning.segments.map(\.number) == [nil] && beginning.file == 0)
        #expect(try store.detail(of: "show")?.segments.count == 2 && store.detail(of: "log.0") == nil)
        let file = try #require(try store.detail(of: "log.1"))
        #expect(file.file == 1 && file.segments.map(\.path) == ["fip/log 1.mp3"])
        #expect(file.gaps.count == 1 && file.titles.isEmpty && file.recording.segments == 2)
        // A recording whose ID looks like such a name is found first.
        #expect(try store.detail(of: "log.2")?.recording.id == "log.2")
        #expect(try store.detail(of: "log.3") == nil && store.detail(of: "log.x") == nil)
    }

    @Test("A catalog of the version before gets the ends of its recordings") func migration() throws {
        let old = try TemporaryFolder()
        let path = old.file(CatalogStore.name)
        do {
            let database = try Database(path: path)
            try database.run(Schema.steps[0])
            try database.run("PRAGMA user_version = 1")
            try database.run(
                """
                INSERT INTO recordings (id, state, protected, segments, bytes, frames, milliseconds, gaps, missing, ended,
                    ended_offset)
                    VALUES ('a', 'complete', 0, 1, 1, 1, 1000, 2, 700, 5000, 0);
                INSERT INTO segments (path, recording, base, extension, at, at_offset, state, protected, bytes, frames,
                    milliseconds, generation) VALUES ('a', 'a', 'a', 'mp3', 4000, 0, 'complete', 0, 1, 1, 1000, 1);
                INSERT INTO gaps VALUES (1, 3500, 0, 500, 'x', 0), (1, 4500, 0, 200, 'x', 7);
                """)
        }
        let migrated = try CatalogStore(folder: old.path)
        #expect(try migrated.end(ofRecording: "a") == WallInstant(nanoseconds: 5_200_000_000))
        #expect(try migrated.detail(of: "a")?.recording.ended?.milliseconds == 5_200)
    }
}
