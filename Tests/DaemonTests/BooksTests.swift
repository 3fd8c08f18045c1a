// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Glibc
import Instants
import RadioCore
import RadioFormats
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// The books of a daemon after restarts, crashes, outages, edits, and lost, renamed and copied files in random order:
/// lists, verdicts, links, exports and checksums agree with the frames that the stations sent.
struct BooksTests {
    private static let programme = Broadcast([.music(.seconds(900))], MPEGShape(32))
    private static let checker = FrameChecker(programme)
    private static let stations = ["a", "b", "c", "d"]
    /// When the shows of each station begin and end, in seconds since the start.
    private static let shows = [[(20.0, 60.0)], [(60, 220)], [(40, 50), (150, 165)], [(30, 120), (100, 180)]]

    @Test("The books agree with the frames after 176 random troubles", arguments: [1, 3, 4, 12, 48, 52, 56])
    func books(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let deck = BooksTrouble.deck(BooksTrouble.allCases, times: 4, using: &random)
        let scripts = Self.scripts(&random)
        let rig = try DaemonRig(scripts)
        var configuration = try Self.configuration(rig, round: 0)
        try rig.beginWithCatalog(configuration)
        var log: [String] = []
        var down: [Range<WallInstant>] = []
        for (round, trouble) in deck.enumerated() {
            Self.live(rig, Int.random(in: 2...9, using: &random))
            try Self.waitForRebuild(rig)
            // In the beginning, no file is finished.
            while try !trouble.strike(rig.folder, round, using: &random) { Self.live(rig, 1) }
            let start = rig.reactor.wallNow
            log.append("\(start - rig.began): \(trouble)")
            switch trouble {
            case .edit:
                configuration = try Self.configuration(rig, round: round)
                rig.apply(configuration)
                continue
            case .lostSidecar, .renamedAudio, .renamedFile, .copiedFile:
                rig.daemon.catalog?.rebuild()
                continue
            case .lostRunningCatalog:
                BooksTrouble.deleteCatalog(rig.folder)
                continue
            case .restart, .lostCatalog:
                rig.daemon.stop()
                Self.live(rig, Int.random(in: 1...4, using: &random))
                rig.restart()
                if trouble == .lostCatalog { BooksTrouble.deleteCatalog(rig.folder) }
            case .kill, .lostGrowingSidecar: rig.crash(away: .seconds(Double.random(in: 0...3, using: &random)))
            case .longKill: rig.crash(away: .seconds(Double.random(in: 5...30, using: &random)))
            }
            try rig.startAgain(configuration)
            down.append(start..<rig.reactor.wallNow)
        }
        Self.live(rig, 30)
        rig.daemon.stop()
        Self.live(rig, 2)
        try Self.waitForRebuild(rig)
        let books = try Books(rig, Self.checker)
        let judge = BooksJudge(Self.programme, Self.checker, onAirSince: rig.began - .seconds(DaemonRig.onAir))
        let complaints = try books.complaints(judge, scripts, down) + log
        #expect(complaints == log, "seed \(seed):\n\(complaints.joined(separator: "\n"))")
        // What was compared.
        let found = books.found
        #expect(deck.count == 44 && log.count == 44 && down.count == 20)
        #expect(found.recordings > 50 && found.files >= found.recordings && found.frames > 30_000)
        #expect(found.gaps > 15 && found.links > 40, "\(found)")
        #expect(found.verdicts.values.reduce(0, +) == 6 && found.verdicts.count > 1, "\(found.verdicts)")
    }

    /// Lets time pass. The catalog's thread works in real time, so the daemon waits for it each second.
    private static func live(_ rig: DaemonRig, _ seconds: Int) {
        for _ in 0..<seconds {
            rig.run(1)
            #expect(rig.waitForCatalog())
        }
    }

    /// Waits until the catalog knows all files: nobody can restore a sidecar that is lost before.
    private static func waitForRebuild(_ rig: DaemonRig) throws {
        let isComplete = { try rig.ask { store throws(CatalogError) in try store.isComplete } }
        var tries = 1_000
        while try !isComplete(), tries > 0 { tries -= 1 }
        #expect(tries > 0)
    }

    /// Stations that are away from time to time.
    private static func scripts(_ random: inout SplitMix64) -> [String: LiveScript] {
        var scripts: [String: LiveScript] = [:]
        for station in stations {
            var script = LiveScript(.stream(LiveStream(programme, burst: 16_000)))
            var time = Double.random(in: 20...60, using: &random)
            while time < 700 {
                let length = Double.random(in: 1...20, using: &random)
                script.absences.append(.init(.seconds(time), for: .seconds(length), .gone))
                time += length + Double.random(in: 40...120, using: &random)
            }
            scripts[station] = script
        }
        return scripts
    }

    /// Two stations are always recorded; all have shows. The names of the files change with each round.
    private static func configuration(_ rig: DaemonRig, round: Int) throws -> Configuration {
        try rig.configuration(
            try zip(stations, shows).enumerated().map { index, pair in
                var station = DaemonRig.station(pair.0, record: index < 2 ? .always : .shows)
                station.files.segment = index == 0 ? .period(.seconds(60)) : .none
                station.files.name = try NameTemplate(parsing: "{station} \(round) %H-%M-%S")
                station.shows = try pair.1.enumerated().map { number, span in
                    var show = try rig.show("\(pair.0)\(number)", from: span.0, to: span.1)
                    show.files.name = try NameTemplate(parsing: "{station} {show} \(round) %H-%M-%S")
                    return show
                }
                return station
            })
    }

    // MARK: Judging

    /// What the daemon's books say, beside what is in the folders.
    private struct Books {
        /// How much was compared.
        struct Found {
            var recordings = 0
            var files = 0
            var frames: Int64 = 0
            var gaps = 0
            var links = 0
            var verdicts: [String: Int] = [:]
        }

        private let rig: DaemonRig
        private let library: Library
        private let details: [CatalogDetail]
        /// The recordings of each purpose.
        private var booked: [String: [BookedRecording]] = [:]
        private let shows: [BookedShow]
        private(set) var found = Found()

        init(_ rig: DaemonRig, _ checker: FrameChecker) throws {
            self.rig = rig
            library = Library(path: rig.folder.file("recordings"), depth: NameTemplate.maxComponents)
            details = try rig.ask { store throws(CatalogError) in
                var (details, query) = ([CatalogDetail](), CatalogQuery())
                query.limit = CatalogStore.mostListed
                for recording in try store.recordings(query) {
                    if let detail = try store.detail(of: recording.id) { details.append(detail) }
                }
                return details
            }
            shows = StateLedger(folder: rig.folder.file("state"), name: StateLedger.shows).entries()
                .compactMap(BookedShow.init(json:))
            for detail in details {
                let recording = detail.recording
                let files = try segments(of: detail).compactMap { segment -> BookedRecording.File? in
                    guard let sidecar = segment.sidecar, segment.audio != nil else { return nil }
                    return .init(sidecar, audio: try rig.audio(segment.path.joined(separator: "/")))
                }
                guard let covered = recording.covered else { continue }
                found.files += files.count
                found.gaps += files.reduce(0) { $0 + $1.sidecar.gaps.count }
                found.frames += recording.frames
                if recording.earlier != nil { found.links += 1 }
                booked["\(recording.stationID ?? "") \(recording.show?.id ?? "")", default: []].append(
                    BookedRecording(
                        id: recording.id, began: covered.lowerBound, ended: covered.upperBound,
                        seconds: recording.length.inSeconds, frames: recording.frames,
                        continues: recording.earlier?.id, files: files, checker))
            }
            found.recordings = booked.reduce(0) { $0 + $1.value.count }
            for show in shows { found.verdicts[show.result, default: 0] += 1 }
        }

        private func segments(of detail: CatalogDetail) -> [LibrarySegment] {
            detail.segments.compactMap { library.segment(at: $0.path.split(separator: "/").map(String.init)) }
        }

        func complaints(
            _ judge: BooksJudge, _ scripts: [String: LiveScript], _ down: [Range<WallInstant>]
        ) throws -> [String] {
            var complaints = try files() + details.flatMap(verified)
            for (key, recordings) in booked.sorted(by: { $0.key < $1.key }) {
                complaints += judge.complaints(about: recordings).map { "\(key) \($0)" }
                complaints += try exported(recordings, judge).map { "\(key) \($0)" }
            }
            for station in BooksTests.stations {
                let away = away(scripts[station], down)
                let now = rig.reactor.wallNow
                let log = judge.unexplained(
                    in: rig.began..<now - .seconds(5), from: booked["\(station) "] ?? [], away: away)
                if station < "c" { complaints += log.map { "\(station): \($0)" } }
            }
            for (station, spans) in zip(BooksTests.stations, BooksTests.shows) {
                for number in spans.indices {
                    let id = "\(station)\(number)"
                    let found = shows.filter { $0.id == id && $0.station == station }
                    guard let show = found.first, found.count == 1 else {
                        complaints.append("\(id) was judged \(found.count) times")
                        continue
                    }
                    let recordings = booked["\(station) \(id)"] ?? []
                    complaints += judge.complaints(about: show, from: recordings, down: down).map {
                        "\(id): \($0)"
                    }
                    complaints += judge.unexplained(
                        in: show.window, from: recordings, away: away(scripts[station], down)
                    ).map { "\(id): \($0)" }
                }
            }
            return complaints
        }

        /// The spans in which audio of a station may be lost: it is away, or no daemon runs.
        private func away(_ script: LiveScript?, _ down: [Range<WallInstant>]) -> [Range<WallInstant>] {
            [rig.began..<rig.began] + down + (script?.absences ?? []).map { rig.began + $0.from..<rig.began + $0.to }
        }

        /// Each file in the folder is listed once.
        private func files() throws -> [String] {
            let present = try rig.folder.contents().filter { $0.hasPrefix("recordings/") && $0.hasSuffix(".mp3") }
            let listed = details.flatMap { $0.segments.map(\.path) + $0.copies.map(\.path) }
                .map { "recordings/\($0)" }.sorted()
            let rest = try rig.folder.contents().filter { $0.hasSuffix(".part") }
            return (present == listed ? [] : ["the folder has \(present), and \(listed) are listed"])
                + (rest.isEmpty ? [] : ["\(rest) are left"])
        }

        /// `recordings verify --all` must find nothing.
        private func verified(_ detail: CatalogDetail) throws -> [String] {
            let segments = segments(of: detail)
            let flaws = try segments.compactMap { segment -> String? in
                guard let check = try library.check(segment) else { return "\(segment.base) is gone" }
                let flaws = check.flaws(of: segment)
                return flaws.isEmpty ? nil : "verify \(segment.base): \(flaws)"
            }
            let holes = LibraryRecording(id: detail.recording.id, segments: segments).holes
            return flaws + holes.map { "verify \(detail.recording.id): hole \($0)" }
        }

        /// All recordings of one purpose, exported as one file.
        private func exported(_ recordings: [BookedRecording], _ judge: BooksJudge) throws -> [String] {
            let ids = BookedRecording.inOrder(recordings).map(\.id)
            let segments = ids.flatMap { id in
                LibraryRecording(id: id, segments: details.filter { $0.recording.id == id }.flatMap(self.segments))
                    .segments
            }
            let exporter = RecordingExporter(path: rig.folder.file("recordings"))
            let name = "export \(ids[0])"
            let target = open(rig.folder.file(name), O_WRONLY | O_CREAT, 0o644)
            defer { close(target) }
            let outcome = try exporter.export(exporter.joining(segments, from: nil, until: nil).plan, to: target)
            return judge.complaints(aboutExport: try rig.folder.read(name), of: recordings)
                + (outcome.missing == 0 ? [] : ["an export lacks \(outcome.missing) files"])
        }
    }
}
