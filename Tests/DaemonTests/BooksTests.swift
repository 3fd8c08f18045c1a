// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Glibc
import Instants
import RadioCore
import RadioFormats
import Stations
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// The books of a daemon after restarts, crashes, outages, edits, and lost, renamed and copied files in random order:
/// lists, verdicts, links, exports and checksums agree with the frames that the stations sent.
struct BooksTests {
    private static let programme = Broadcast([.music(.seconds(1_800))], MPEGShape(32))
    private static let checker = FrameChecker(programme)
    private static let stations = ["a", "b", "c", "d"]
    /// When the shows of each station begin and end, in seconds since the start. The first one of the third station is
    /// over before any trouble.
    private static let shows = [[(20.0, 60.0)], [(60, 220)], [(5, 10), (150, 165)], [(30, 120), (100, 180)]]
    private static let calm = 12

    @Test(
        "The books agree with the frames after four or ten troubles of each kind",
        arguments: zip([13, 30, 48, 56, 81], [4, 4, 10, 4, 4]))
    func books(_ seed: UInt64, _ times: Int) throws {
        var random = SplitMix64(seed: seed)
        let deck = BooksTrouble.deck(BooksTrouble.allCases, times: times, using: &random)
        var scripts: [String: LiveScript] = [:]
        let end = 175 * Double(times)
        for station in Self.stations { scripts[station] = .troubled(Self.programme, until: end, using: &random) }
        let daemon = try Daemon(scripts)
        let rig = daemon.rig
        var log: [String] = []
        var down = [rig.began..<rig.began]
        daemon.live(Self.calm)
        for (round, trouble) in deck.enumerated() {
            daemon.live(Int.random(in: 2...9, using: &random))
            try daemon.waitForRebuild()
            // In the beginning, no file is finished.
            while try !trouble.strike(rig.folder, round, using: &random) { daemon.live(1) }
            log.append("\(rig.reactor.wallNow - rig.began): \(trouble)")
            if let span = try daemon.suffer(trouble, round, using: &random) { down.append(span) }
        }
        daemon.live(30)
        rig.daemon.stop()
        daemon.live(2)
        try daemon.waitForRebuild()
        let judge = BooksJudge(Self.programme, Self.checker, onAirSince: rig.began - .seconds(DaemonRig.onAir))
        let stations = zip(Self.stations, Self.shows).map { station, shows in
            BookedStation(
                station, judge, away: scripts[station]?.away(from: rig.began) ?? [],
                recorded: station < "c" ? rig.began..<rig.reactor.wallNow - .seconds(5) : nil,
                shows: shows.indices.map { "\(station)\($0)" })
        }
        let evidence = try Evidence(rig, Self.checker)
        let books = evidence.books
        let complaints =
            try evidence.complaints() + books.complaints(stations, down: down) { try evidence.export($1) } + log
        #expect(complaints == log, "seed \(seed):\n\(complaints.joined(separator: "\n"))")
        // What was compared.
        let recordings = books.recordings.reduce(0) { $0 + $1.value.count }
        #expect(
            deck.count == times * BooksTrouble.allCases.count && log.count == deck.count && down.count == 1 + 5 * times)
        #expect(recordings > 50 && books.files >= recordings && books.frames > 30_000)
        #expect(books.gaps > 15 && books.links > 40, "\(books.gaps) \(books.links)")
        #expect(books.shows.count == 6 && books.verdicts.count > 1, "\(books.verdicts)")
    }

    /// The daemon of a rig.
    private final class Daemon: TroubledDaemon {
        let rig: DaemonRig
        private var configuration: Configuration

        init(_ scripts: [String: LiveScript]) throws {
            rig = try DaemonRig(scripts)
            configuration = try BooksTests.configuration(rig, round: 0)
            try rig.beginWithCatalog(configuration)
        }

        var folder: TemporaryFolder { rig.folder }
        var now: WallInstant { rig.reactor.wallNow }

        /// Lets time pass, and lets the catalog finish each second.
        func live(_ seconds: Int) { rig.live(Double(seconds)) }

        /// Waits until the catalog knows all files: nobody can restore a sidecar that is lost before.
        func waitForRebuild() throws {
            let isComplete = { [rig] in try rig.ask { store throws(CatalogError) in try store.isComplete } }
            var tries = 1_000
            while try !isComplete(), tries > 0 { tries -= 1 }
            #expect(tries > 0)
        }

        func edit(round: Int) throws {
            configuration = try BooksTests.configuration(rig, round: round)
            rig.apply(configuration)
        }

        func rescan() { rig.daemon.catalog?.rebuild() }

        func stop(for time: Duration) {
            rig.daemon.stop()
            live(Int(time.inSeconds))
            rig.restart()
        }

        func kill(for time: Duration) { rig.crash(away: time) }
        func start() throws { try rig.startAgain(configuration) }
    }

    /// Two stations are always recorded; all have shows. The names of the files change with each round, and the
    /// addresses of the stations with some.
    private static func configuration(_ rig: DaemonRig, round: Int) throws -> Configuration {
        try rig.configuration(
            try zip(stations, shows).enumerated().map { index, pair in
                var station = DaemonRig.station(pair.0, record: index < 2 ? .always : .shows)
                if round.isMultiple(of: 3) { station.source.urls = ["http://\(pair.0)/other"] }
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

    /// What the daemon's catalog and ledger say, beside what is in the folders.
    private struct Evidence {
        private let rig: DaemonRig
        private let library: Library
        private let details: [CatalogDetail]
        private(set) var books = Books([], [])

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
            let shows = StateLedger(folder: rig.folder.file("state"), name: StateLedger.shows).entries()
                .compactMap(BookedShow.init(json:))
            let booked = try details.compactMap { detail -> (Books.Purpose, BookedRecording)? in
                let recording = detail.recording
                guard let covered = recording.covered else { return nil }
                let files = try segments(of: detail).compactMap { segment -> BookedRecording.File? in
                    guard let sidecar = segment.sidecar, segment.audio != nil else { return nil }
                    return .init(sidecar, audio: try rig.audio(segment.path.joined(separator: "/")))
                }
                return (
                    .init(station: recording.stationID, show: recording.show?.id),
                    BookedRecording(
                        id: recording.id, began: covered.lowerBound, ended: covered.upperBound,
                        seconds: recording.length.inSeconds, frames: recording.frames,
                        continues: recording.earlier?.id, files: files, checker)
                )
            }
            books = Books(booked, shows)
        }

        private func segments(of detail: CatalogDetail) -> [LibrarySegment] {
            detail.segments.compactMap { library.segment(at: $0.path.split(separator: "/").map(String.init)) }
        }

        func complaints() throws -> [String] { try files() + details.flatMap(verified) }

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
            let holes = LibraryRecording(id: detail.recording.id, segments: segments).holes(deleted: detail.deleted)
            return flaws + holes.map { "verify \(detail.recording.id): hole \($0)" }
        }

        /// All recordings of one purpose, exported as one file.
        func export(_ recordings: [BookedRecording]) throws -> [UInt8] {
            let ids = BookedRecording.inOrder(recordings).map(\.id)
            let segments = ids.flatMap { id in
                LibraryRecording(id: id, segments: details.filter { $0.recording.id == id }.flatMap(self.segments))
                    .segments
            }
            let exporter = RecordingExporter(path: rig.folder.file("recordings"))
            let name = "export \(ids[0])"
            let outcome = try exporter.export(
                exporter.joining(segments, from: nil, until: nil).excerpt, toFile: rig.folder.file(name))
            guard outcome.missing == 0 else { throw SetupError("\(outcome.missing) files are missing") }
            return try rig.folder.read(name)
        }
    }
}
