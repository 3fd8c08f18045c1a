// SPDX-License-Identifier: MIT

import Catalog
import Configuration
import Glibc
import Instants
import RadioCore
import Storage
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// The books of a daemon after restarts, crashes, outages, edits, and lost sidecars and catalogs in random order: lists,
/// verdicts, links, exports and checksums agree with the frames that the stations sent.
struct BooksTests {
    private static let programme = Broadcast([.music(.seconds(900))], MPEGShape(32))
    private static let stations = ["a", "b", "c", "d"]

    private enum Trouble: CaseIterable {
        case restart, crash, longCrash, edit, lostCatalog, nothing
    }

    @Test("The books agree with the frames after twelve random troubles", arguments: [1, 2])
    func books(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rig = try DaemonRig(Self.scripts(&random))
        var configuration = try Self.configuration(rig, round: 0)
        try rig.beginWithCatalog(configuration)
        var log: [String] = []
        for round in 1...12 {
            Self.live(rig, Int.random(in: 6...25, using: &random))
            guard let trouble = Trouble.allCases.randomElement(using: &random) else { continue }
            log.append("\(rig.reactor.wallNow - rig.began): \(trouble)")
            switch trouble {
            case .nothing: break
            case .edit:
                configuration = try Self.configuration(rig, round: round)
                rig.apply(configuration)
            case .restart, .lostCatalog:
                rig.daemon.stop()
                Self.live(rig, Int.random(in: 1...10, using: &random))
                rig.restart()
                if trouble == .lostCatalog {
                    for end in ["", "-wal", "-shm"] { unlink(rig.folder.file("state/\(CatalogStore.name)\(end)")) }
                }
                try rig.startAgain(configuration)
            case .crash, .longCrash:
                rig.crash(away: .seconds(Double.random(in: trouble == .crash ? 0...4 : 5...40, using: &random)))
                try rig.startAgain(configuration)
            }
        }
        Self.live(rig, 60)
        rig.daemon.stop()
        Self.live(rig, 2)
        let complaints = try Self.complaints(rig)
        #expect(
            complaints.isEmpty, "seed \(seed):\n\(complaints.joined(separator: "\n"))\n\(log.joined(separator: "\n"))")
    }

    /// Lets time pass. The catalog's thread works in real time, so the daemon waits for it each second.
    private static func live(_ rig: DaemonRig, _ seconds: Int) {
        for _ in 0..<seconds {
            rig.run(1)
            #expect(rig.waitForCatalog())
        }
    }

    /// Stations that are away from time to time.
    private static func scripts(_ random: inout SplitMix64) -> [String: LiveScript] {
        var scripts: [String: LiveScript] = [:]
        for station in stations {
            var script = LiveScript(.stream(LiveStream(programme, burst: 16_000)))
            var time = Double.random(in: 20...60, using: &random)
            while time < 500 {
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
        let spans = [[(20.0, 80.0)], [(60, 200)], [(40, 90), (150, 220)], [(30, 120), (100, 180)]]
        return try rig.configuration(
            try zip(stations, spans).enumerated().map { index, pair in
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

    private static func complaints(_ rig: DaemonRig) throws -> [String] {
        let judge = BooksJudge(programme, onAirSince: rig.began - .seconds(DaemonRig.onAir))
        let library = Library(path: rig.folder.file("recordings"), depth: 3)
        let listed = try rig.ask { store throws(CatalogError) -> [CatalogDetail] in
            var (details, query) = ([CatalogDetail](), CatalogQuery())
            query.limit = CatalogStore.mostListed
            for recording in try store.recordings(query) {
                if let detail = try store.detail(of: recording.id) { details.append(detail) }
            }
            return details
        }
        var complaints: [String] = []
        var booked: [String: [BookedRecording]] = [:]
        for detail in listed {
            let recording = detail.recording
            let segments = detail.segments.compactMap {
                library.segment(at: $0.path.split(separator: "/").map(String.init))
            }
            for segment in segments {
                let flaws = try library.check(segment)?.flaws(of: segment) ?? []
                if !flaws.isEmpty { complaints.append("verify \(segment.base): \(flaws)") }
            }
            let files = try segments.compactMap { segment -> BookedRecording.File? in
                guard let sidecar = segment.sidecar, let name = segment.fileName else { return nil }
                return .init(sidecar, audio: try rig.audio(name))
            }
            if files.count != detail.segments.count { complaints.append("\(recording.id) has lost a file") }
            guard let began = recording.began?.instant, let ended = recording.ended?.instant else {
                complaints.append("\(recording.id) has no times")
                continue
            }
            booked["\(recording.stationID ?? "") \(recording.show?.id ?? "")", default: []].append(
                BookedRecording(
                    id: recording.id, began: began, ended: ended, continues: recording.earlier?.id, files: files))
        }
        for (key, recordings) in booked {
            complaints += judge.complaints(about: recordings).map { "\(key) \($0)" }
            complaints += try export(recordings, library, rig).map { "\(key) \($0)" }
        }
        return complaints + verdicts(rig, judge, booked)
    }

    /// All recordings of one purpose, exported as one file.
    private static func export(
        _ recordings: [BookedRecording], _ library: Library, _ rig: DaemonRig
    ) throws -> [String] {
        let ids = recordings.sorted { $0.began < $1.began }.map(\.id)
        let segments = try ids.flatMap { id in
            let detail = try rig.ask { store throws(CatalogError) in try store.detail(of: id) }
            return LibraryRecording(
                id: id,
                segments: (detail?.segments ?? []).compactMap {
                    library.segment(at: $0.path.split(separator: "/").map(String.init))
                }
            ).segments
        }
        let exporter = RecordingExporter(path: rig.folder.file("recordings"))
        let joined = exporter.joining(segments, from: nil, until: nil)
        let name = "export \(ids[0])"
        let target = open(rig.folder.file(name), O_WRONLY | O_CREAT, 0o644)
        defer { close(target) }
        let exported = try exporter.export(joined.plan, to: target)
        let report = FrameChecker(programme).check(try rig.folder.read(name))
        let held = Set(
            recordings.flatMap { recording in
                FrameChecker(programme).check(recording.files.map(\.audio)).places.compactMap(\.self)
            })
        guard report.duplicated.isEmpty, report.disorders == 0, exported.missing == 0,
            Set(report.places.compactMap(\.self)) == held
        else { return ["exported as \(report), \(exported.missing) missing, instead of \(held.count) frames"] }
        return []
    }

    private static func verdicts(
        _ rig: DaemonRig, _ judge: BooksJudge, _ booked: [String: [BookedRecording]]
    ) -> [String] {
        var ended: [String: Int] = [:]
        var complaints: [String] = []
        for case .showEnded(let airing, let result) in rig.events {
            let key = "\(airing.station) \(airing.show.id)"
            ended[key, default: 0] += 1
            let missing = judge.missing(in: airing.window, from: booked[key] ?? [])
            if abs(missing - result.lost.inSeconds) > 1 {
                let told = result.missing.map { "\($0.lowerBound - rig.began) to \($0.upperBound - rig.began)" }
                complaints.append("\(key) lacks \(missing) s, and its verdict says \(told), \(result.files)")
            }
        }
        let shows = Set(
            rig.daemon.configuration.stations.flatMap { station in
                station.shows.map { "\(station.id) \($0.show.id)" }
            })
        for show in shows where ended[show] != 1 { complaints.append("\(show) was judged \(ended[show] ?? 0) times") }
        return complaints
    }
}
