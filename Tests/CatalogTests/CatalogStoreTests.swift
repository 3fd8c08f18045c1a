// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import TestTools
import Testing

@testable import Catalog

struct CatalogStoreTests {
    private let folder: TemporaryFolder
    private let store: CatalogStore

    init() throws {
        folder = try TemporaryFolder()
        store = try CatalogStore(folder: folder.path)
    }

    @Test("A recording is the sum of its segments") func sumOfSegments() throws {
        try store.put([
            Segments.make("a", 2, show: "jazz", titles: ["Miles Davis - So What"], hasGap: true),
            Segments.make("a", 1, show: "jazz"), Segments.make("a", 3, show: "jazz", state: .growing),
        ])
        let detail = try #require(try store.detail(of: "a"))
        let recording = detail.recording
        #expect(recording.segments == 3 && recording.bytes == 3 * 57_602_000 && recording.milliseconds == 3 * 3_600_000)
        #expect(recording.state == .growing && recording.gaps == 1 && recording.missingMilliseconds == 12_500)
        #expect(recording.stationID == "fip" && recording.show?.id == "jazz" && recording.show?.name == "Show jazz")
        #expect(recording.began?.instant == Segments.start && recording.began?.utcOffset == 7_200)
        #expect(recording.ended?.instant == Segments.start + .seconds(3 * 3_600))
        #expect(detail.segments.map(\.number) == [1, 2, 3] && detail.segments[0].path == "fip/a 1.mp3")
        #expect(detail.segments[2].path == "fip/a 3.mp3.part")
        #expect(detail.titles.map(\.artist) == ["Miles Davis"] && detail.gaps.count == 1 && detail.splices.count == 1)
        // The recording is first completed, and then deleted.
        try store.put([Segments.make("a", 3, show: "jazz")])
        #expect(try store.detail(of: "a")?.recording.state == .complete)
        try store.remove(paths: (1...3).map { "fip/a \($0)" }, of: "a")
        #expect(try store.detail(of: "a") == nil && store.recordings(CatalogQuery()).isEmpty)
        #expect(try store.titles(matching: "miles", limit: 5).isEmpty)
    }

    @Test("D41: A recording is the sum of the files that are left, and says which of them were growing")
    func growing() throws {
        try store.put((1...4).map { Segments.make("a", $0, hasGap: $0 > 3, state: $0 > 3 ? .growing : .complete) })
        try store.remove(paths: ["fip/a 1", "fip/a 2"], of: "a", wereDeleted: true)
        let listed = try #require(try store.recordings(CatalogQuery()).first)
        #expect(listed.segments == 2 && listed.began?.instant == Segments.start + .seconds(2 * 3_600))
        #expect(listed.length == .seconds(2 * 3_600 + 12.5) && listed.bytes == 2 * 57_602_000)
        #expect(listed.growing.map(\.number) == [4] && listed.growing.map(\.length) == [.seconds(3_612.5)])
        #expect(try store.detail(of: "a.3")?.recording == listed)
        try store.put([Segments.make("a", 4)])
        #expect(try store.recordings(CatalogQuery()).map(\.growing) == [[]])
    }

    @Test("D34: A recording knows which of its files the daemon has deleted, by the ranges of their numbers")
    func deleted() throws {
        try store.put((1...13).map { Segments.make("a", $0) } + [Segments.make("b", 12)])
        for numbers in [8...11, 2...3, 5...5] {
            try store.remove(paths: numbers.map { "fip/a \($0)" }, of: "a", wereDeleted: true)
        }
        try store.remove(paths: ["fip/a 12"], of: "a")
        try store.noteDeleted(["1795249500000 137812"], of: "a")
        #expect(try store.detail(of: "a")?.deleted == [2...3, 5...5, 8...11])
        #expect(try store.detail(of: "b")?.deleted == [])
    }

    @Test("A recording continues the previous recording of the same broadcast") func continuation() throws {
        let first = Segments.make("a", show: "jazz", state: .interrupted)
        let others = [("c", 1), ("b", 2)].map { id, hour in
            var segment = Segments.make(id, show: "jazz", hour: hour)
            if case .sidecar(var sidecar) = segment.description {
                sidecar.show = first.sidecar?.show
                segment.description = .sidecar(sidecar)
            }
            return segment
        }
        // Recordings that do not belong to this broadcast: of another broadcast of the show, of another show, of
        // another station, and of no show.
        let strange = [
            Segments.make("d", show: "jazz", hour: 3), Segments.make("e", show: "pop", hour: 1),
            Segments.make("f", station: "nova", show: "jazz", hour: 1), Segments.make("g", hour: 1),
        ]
        try store.put([first] + others + strange)
        let earlier = Dictionary(
            uniqueKeysWithValues: try store.recordings(CatalogQuery()).map { ($0.id, $0.earlier?.id) })
        #expect(earlier.compactMapValues(\.self) == ["c": "a", "b": "c"] && earlier.count == 7)
        #expect(Set(try store.recordings(CatalogQuery()).filter(\.isContinued).map(\.id)) == ["a", "c"])
        #expect(try store.detail(of: "c")?.recording.earlier?.ended?.instant == Segments.start + .seconds(3_600))
    }

    @Test("A station's byte rate comes from its newest recording that is long enough to measure")
    func byteRates() throws {
        var short = Segments.make("c", hour: 9)
        if case .sidecar(var sidecar) = short.description {
            sidecar.samples = 44_100
            short.description = .sidecar(sidecar)
        }
        var larger = Segments.make("b", hour: 5)
        larger.audio?.bytes *= 2
        try store.put([Segments.make("a"), larger, short, Segments.make("d", station: "jazz")])
        let rates = try store.byteRates()
        #expect(rates.mapValues { $0.rounded() } == ["fip": 32_001, "jazz": 16_001])
    }

    @Test("Retention sees a show as one unit, and other recordings file by file") func retentionUnits() throws {
        try store.put([
            Segments.make("a", 1, show: "jazz"), Segments.make("a", 2, show: "jazz", state: .growing),
            // Somebody has changed the station in the sidecar of one of the recording's files.
            Segments.make("a", 3, station: "copy", show: "jazz", hour: -2),
            Segments.make("log", 1, hour: 4), Segments.make("log", 2, hour: 4),
        ])
        var all: [StoredRecording] = []
        try store.forEachUnit { all.append($0) }
        #expect(all.map(\.ended) == [6, 5, 2, 1].map { Segments.start + .seconds($0 * 3_600) })
        #expect(all.map(\.isFinished) == [true, true, false, true] && all[2].bytes == 2 * 57_602_000)
        #expect(all[2].broadcast == Segments.start && all[1].broadcast == nil)
        let units = try all.map { try #require(try store.unit($0.id)) }
        #expect(units.map(\.paths) == [["fip/log 2"], ["fip/log 1"], ["fip/a 1", "fip/a 2"], ["copy/a 3"]])
        #expect(units.map(\.stationID) == ["fip", "fip", "fip", "copy"])
        try store.remove(paths: ["copy/a 3"], of: "a")
        #expect(try store.unit(all[3].id) == nil)
    }

    @Test("A file without a sidecar is listed by its path, and a sidecar without audio is not listed")
    func incompleteSegments() throws {
        var bare = Segments.make("x")
        bare.description = .missing
        var gone = Segments.make("y")
        gone.audio = nil
        try store.put([bare, gone])
        let found = try store.recordings(CatalogQuery())
        #expect(found.map(\.id) == ["file fip/x 1"] && found[0].bytes == 57_602_000)
    }

    @Test("A recording that left no audio is forgotten by the path of its part file") func forgottenPart() throws {
        try store.put([Segments.make("a", state: .growing), Segments.make("b")])
        try store.forget(path: ["fip", "a 1.mp3.part"])
        #expect(try store.recordings(CatalogQuery()).map(\.id) == ["b"])
    }

    @Test("Lists are paged, filtered and sorted from the newest") func lists() throws {
        try store.put(Segments.many(300))
        var query = CatalogQuery()
        query.limit = 7
        var all: [String] = []
        while true {
            let page = try store.recordings(query)
            all += page.map(\.id)
            guard let last = page.last else { break }
            query.after = last.sortKey
        }
        #expect(all == (0..<100).reversed().map { "r\($0)" })
        query = CatalogQuery()
        query.station = "s3"
        query.limit = 1_000
        #expect(try store.recordings(query).map(\.id).sorted() == (0..<10).map { "r\($0 * 10 + 3)" }.sorted())
        query.show = "none"
        #expect(try store.recordings(query).isEmpty)
        query = CatalogQuery()
        query.from = CivilTime(Segments.start + .seconds(3_600 * 30), utcOffset: 0)
        query.until = CivilTime(Segments.start + .seconds(3_600 * 36), utcOffset: 0)
        let inSpan = try store.recordings(query).map(\.id)
        #expect(inSpan.contains("r10") && inSpan.contains("r11") && inSpan.count <= 4, "\(inSpan)")
    }

    @Test("The broadcasts of a day are found by the day on which they begin, however early they are recorded")
    func broadcasts() throws {
        func put(_ id: String, _ from: String, _ date: String? = nil) throws {
            var segment = Segments.make(id, show: "jazz")
            guard var sidecar = segment.sidecar, let from = CivilTime(rfc3339: from) else { return }
            sidecar.show?.from = from
            sidecar.show?.date = try date.map { try CalendarDate(parsing: $0) }
            segment.description = .sidecar(sidecar)
            try store.put([segment])
        }
        try put("night", "2026-11-26T23:58:00-05:00", "2026-11-27")
        try put("morning", "2026-11-27T06:58:00-05:00", "2026-11-27")
        // A sidecar of an older version does not say the date.
        try put("old", "2026-11-27T23:57:59.999-05:00")
        try put("next night", "2026-11-27T23:58:00-05:00", "2026-11-28")
        try store.put([Segments.make("no show")])
        func found(_ date: String) throws -> Set<String> {
            var query = CatalogQuery()
            query.date = try CalendarDate(parsing: date)
            return Set(try store.recordings(query).map(\.id))
        }
        #expect(try found("2026-11-27") == ["night", "morning", "old"] && found("2026-11-28") == ["next night"])
        #expect(try found("2026-11-26").isEmpty && found("2261-12-31").isEmpty)
    }

    @Test("Titles are found by the beginnings of words, and typed characters are never search syntax")
    func titleSearch() throws {
        try store.put([
            Segments.make("a", titles: ["Björk - Jóga", "AC/DC - T.N.T.", "A\"B*C - (NEAR) ^x OR NOT"]),
            Segments.make("b", titles: ["Miles Davis - So What"], hour: 5),
        ])
        #expect(try store.titles(matching: "davis so", limit: 9).map(\.recording) == ["b"])
        #expect(try store.titles(matching: "bjo", limit: 9).map(\.text) == ["Björk - Jóga"])
        #expect(try store.titles(matching: "joga BJÖRK", limit: 9).count == 1)
        #expect(try store.titles(matching: "dc", limit: 9).count == 1)
        let typed = [
            "\"", "*", "a\"b*c", "NEAR(", "OR", "title_words", "-", "^x", "'; DROP TABLE titles; --", "\u{0}", "🎷", "",
            String(repeating: "x ", count: 5_000), "text:miles", "{a b}:c",
        ]
        for text in typed { _ = try store.titles(matching: text, limit: 9) }
        #expect(try store.titles(matching: "-", limit: 9).isEmpty)
        var query = CatalogQuery()
        query.text = "what"
        #expect(try store.recordings(query).map(\.id) == ["b"])
    }

    @Test("Titles are found by station, show and the time at which they begin") func titleConditions() throws {
        try store.put([
            Segments.make("a", show: "jazz", titles: ["Song one", "Song two", "Song three"]),
            Segments.make("b", station: "nova", titles: ["Song four"], hour: 1),
        ])
        func found(_ change: (inout CatalogQuery) -> Void) throws -> [String] {
            var query = CatalogQuery()
            query.text = "song"
            change(&query)
            return try store.titles(query).map { String($0.text.dropFirst(5)) }
        }
        func at(_ seconds: Int) -> CivilTime { CivilTime(Segments.start + .seconds(seconds), utcOffset: -3_600) }
        #expect(try found { _ in } == ["four", "three", "two", "one"])
        #expect(try found { $0.limit = 2 } == ["four", "three"])
        #expect(try found { $0.station = "fip" } == ["three", "two", "one"])
        #expect(try found { $0.show = "jazz" } == ["three", "two", "one"] && found { $0.show = "other" }.isEmpty)
        #expect(try found { $0.from = at(240) } == ["four", "three", "two"])
        #expect(try found { $0.until = at(240) } == ["one"])
        #expect(try found { ($0.from, $0.until) = (at(1), at(3_600)) } == ["three", "two"])
        #expect(try found { $0.text = nil }.isEmpty)
    }

    @Test("A rebuilt catalog equals one filled segment by segment, without the files that are gone")
    func rebuilding() throws {
        let segments = Segments.many(60)
        for segment in segments { try store.put([segment]) }
        let before = try dump(store)
        try store.beginRebuilding()
        try store.put(segments.reversed())
        #expect(try store.recordings(CatalogQuery()).count == 20, "it is never empty meanwhile")
        try store.finishRebuilding()
        #expect(try dump(store) == before)
        try store.beginRebuilding()
        try store.put(Array(segments.prefix(4)))
        try store.finishRebuilding()
        #expect(try store.recordings(CatalogQuery()).map(\.id) == ["r1", "r0"])
        #expect(try store.detail(of: "r1")?.recording.segments == 1)
        // A rebuild that finds nothing empties the catalog, including what the last rebuild put into it.
        let again = try CatalogStore(folder: folder.path)
        #expect(!again.opening.isNew)
        try again.beginRebuilding()
        #expect(try CatalogStore(folder: folder.path).opening.isNew, "it has to be finished")
        try again.finishRebuilding()
        #expect(try again.recordings(CatalogQuery()).isEmpty && dump(again).isEmpty)
    }

    @Test("The figures of a hostile sidecar are bounded") func hostileFigures() throws {
        let most = Int64(1 << 48) - 1
        for (rate, count) in [(1, most), (8_000, most), (44_100, most), (Int.max, most), (44_100, Int64.max)] {
            var segment = Segments.make("a", 1)
            let json = try #require(segment.sidecar).encoded
            let text = String(decoding: json, as: UTF8.self)
                .replacing(/"sample_rate": ?\d+/, with: "\"sample_rate\":\(rate)")
                .replacing(/"(samples|frames)": ?\d+/) { "\"\($0.1)\":\(count)" }
            let sidecar = Sidecar(parsing: Array(text.utf8))
            #expect((sidecar == nil) == (rate == Int.max || count > most), "\(rate), \(count)")
            guard let sidecar else { continue }
            segment.description = .sidecar(sidecar)
            try store.put([segment])
        }
        #expect(try store.recordings(CatalogQuery()).count == 1)
    }

    /// The whole content, without the row numbers of the database.
    private func dump(_ store: CatalogStore) throws -> [String] {
        try store.recordings(
            {
                var query = CatalogQuery(); query.limit = 1_000; return query
            }()
        ).map { recording in
            var detail = try #require(try store.detail(of: recording.id))
            detail.segments.sort { $0.catalogPath < $1.catalogPath }
            return "\(detail)"
        }
    }

    @Test("The largest times and numbers of a hostile sidecar do no harm") func hostileTimes() throws {
        var segment = Segments.make("h\u{0}x", titles: ["\u{0}\u{FFFF}", String(repeating: "é", count: 4_000)])
        guard case .sidecar(var sidecar) = segment.description else { return }
        sidecar.frames = .max
        sidecar.samples = .max
        sidecar.bytes = .max
        sidecar.number = .max
        sidecar.at = CivilTime(rfc3339: "2261-12-31T00:00:00Z")
        segment.description = .sidecar(sidecar)
        segment.audio?.bytes = .max
        try store.put([segment])
        let found = try store.recordings(CatalogQuery())
        #expect(found.count == 1)
        _ = try store.detail(of: found[0].id)
    }
}
