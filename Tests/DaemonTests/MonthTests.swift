// SPDX-License-Identifier: MIT

import Catalog
import Instants
import Platform
import RadioCore
import Storage
import TestSupport
import TestTools
import Testing
import WallClock

@testable import Configuration
@testable import Daemon

/// A month of six stations with shows, in virtual time. What is recorded, kept and cataloged is compared with
/// ``MonthOracle``.
final class MonthTests {
    /// A programme that begins anew five minutes before each full hour, when no show is on.
    private static let programme = Broadcast([.music(.seconds(4_200))], MPEGShape(32, sampleRate: 32_000))
    private static let frameLength = 0.036
    private static let onAir = 40

    /// A morning on which the daemon does not run.
    private static let off = 9 * 86_400 + 6 * 3_600..<9 * 86_400 + 13 * 3_600
    /// The station of the evening show is unavailable for a whole show, and the station of the morning show for half of
    /// one.
    private static let absences = [
        "e": 5 * 86_400 + 72_000..<5 * 86_400 + 73_000, "a": 6 * 86_400 + 25_830..<6 * 86_400 + 25_860,
    ]

    private let rig: DaemonRig
    private let configuration: LoadedConfiguration
    private var now = 0
    private let starts = MonthTests.programme.starts
    private var paths: [MonthOracle.Broadcast: String] = [:]
    private var protected: Set<MonthOracle.Broadcast> = []
    private var eventsSeen = 0

    init() throws {
        let stations = Set(MonthOracle.slots.map(\.station)).sorted()
        rig = try DaemonRig(
            Dictionary(uniqueKeysWithValues: stations.map { ($0, Self.script(of: $0)) }), at: MonthOracle.start)
        let configured = try stations.map { name in
            var station = DaemonRig.station(name)
            station.relay = nil
            station.shows = try MonthOracle.slots.filter { $0.station == name }.map(Self.show)
            return station
        }
        var configuration = try rig.configuration(configured)
        configuration.storage.leastFree = 0
        let berlin = try TimeZones().zone(named: "Europe/Berlin")
        self.configuration = try LoadedConfiguration(loading: configuration) {
            $0 == "Europe/Berlin" ? berlin : nil
        }
    }

    private static func script(of station: String) -> LiveScript {
        var script = LiveScript { visit in
            let hours = (Int(visit.time.inSeconds) + 300) / 3_600
            return .stream(LiveStream(programme, burst: 24_000, lag: .seconds(hours * 3_600 - 300)))
        }
        if let absence = absences[station] {
            script.absences = [.init(.seconds(absence.lowerBound), for: .seconds(absence.count), .gone)]
        }
        return script
    }

    private static func show(_ slot: MonthOracle.Slot) throws -> StationConfiguration.ShowConfiguration {
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        var show = Show(
            id: slot.id, name: slot.id, days: try ShowDays(parsing: slot.weekdays.sorted().map { names[$0] }),
            start: try TimeOfDay(parsing: slot.time),
            end: .length(.seconds(slot.length)), zone: slot.isInBerlin ? "Europe/Berlin" : "UTC")
        (show.early, show.late) = (.seconds(slot.margin), .seconds(slot.margin))
        var files = StationConfiguration.Files()
        files.segment = .none
        files.isPure = true
        files.name = try NameTemplate(parsing: "{show} %Y-%m-%d")
        files.keep = slot.keep
        return .init(show: show, files: files)
    }

    @Test("A month is recorded, kept and cataloged as an oracle says") func month() throws {
        try begin()
        for day in 0..<MonthOracle.days {
            if Self.off.lowerBound / 86_400 == day {
                live(until: Self.off.lowerBound)
                rig.daemon.stop()
                live(until: Self.off.upperBound)
                rig.restart()
                let end = MonthOracle.start + .seconds(Self.off.lowerBound)
                try begin(after: EarlierRun(alive: .init(judgedUntil: end)))
                // The catalog's thread answers in real time, which virtual time must not outrun.
                for _ in 0..<100 where verdicts.count < past.count {
                    rig.pass(.zero)
                    try #require(rig.waitForCatalog())
                }
            }
            live(until: (day + 1) * 86_400 + MonthOracle.look)
            try look()
        }
        let found = verdicts
        #expect(found.count == past.count)
        for (show, broadcasts) in Dictionary(grouping: past, by: \.show) {
            #expect(found.filter { $0.0 == show }.map(\.1) == broadcasts.map(Self.verdict), "\(show)")
        }
    }

    private var verdicts: [(show: String, verdict: RecordingResult.Verdict)] {
        rig.events.compactMap { event in
            if case .showEnded(let airing, let result) = event { (airing.show.id, result.verdict) } else { nil }
        }
    }

    private var past: [MonthOracle.Broadcast] { MonthOracle.broadcasts.filter { $0.window.upperBound <= now } }

    private func begin(after earlier: EarlierRun = EarlierRun()) throws {
        try rig.openCatalog(configuration.configuration)
        rig.daemon.begin(configuration, after: earlier, agrees: true)
    }

    /// Lets time pass: in steps of a second around shows, and faster otherwise.
    private func live(until end: Int) {
        while now < end {
            let soon = now - 60..<now + 90
            let isBusy = MonthOracle.broadcasts.contains { $0.window.overlaps(soon) }
            let step = isBusy ? 1 : min(30, end - now)
            rig.pass(.seconds(step))
            now += step
        }
    }

    private static func verdict(_ broadcast: MonthOracle.Broadcast) -> RecordingResult.Verdict {
        if broadcast.window.overlaps(off) { return .missed }
        guard let absence = absences[broadcast.station], broadcast.window.overlaps(absence) else { return .complete }
        return absence.lowerBound <= broadcast.window.lowerBound ? .missed : .incomplete
    }

    /// Compares files and catalog with the oracle.
    private func look() throws {
        waitForCatalog()
        try checkNewFiles()
        // Retention runs once more, now that the catalog has everything.
        live(until: now + 600)
        waitForCatalog()
        let recorded = MonthOracle.broadcasts.filter {
            $0.window.upperBound <= now && Self.verdict($0) != .missed
        }
        let kept = MonthOracle.kept(at: now, of: recorded, protected: protected)
        let names = kept.map(\.name).sorted()
        #expect(paths.filter { rig.folder.content(of: $0.value) != nil }.map(\.key.name).sorted() == names)
        #expect(rig.files.count == names.count && cataloged().sorted() == names)
        try protectNewest(of: kept)
    }

    /// Expects that each new file begins and ends with its broadcast and has every frame in between.
    private func checkNewFiles() throws {
        for case .recordingBegan(let key, _, let path, _) in rig.events[eventsSeen...] {
            guard let aired = key.broadcast else { continue }
            let broadcast = try #require(
                MonthOracle.broadcasts.first { $0.show == aired.show && MonthOracle.date(ofDay: $0.day) == aired.date })
            let name = String(try #require(path.split(separator: "/").last)).replacing(".part", with: "")
            paths[broadcast] = "recordings/\(name)"
            guard Self.verdict(broadcast) == .complete else { continue }
            let audio = try rig.audio(name)
            let places = try #require(Self.programme.stretch(of: audio, startingAt: starts), "\(name)")
            let hours = (broadcast.window.lowerBound - 60 + 300) / 3_600
            let begins = Double(places.lowerBound) * Self.frameLength - Double(Self.onAir - hours * 3_600 + 300)
            #expect(abs(begins - Double(broadcast.window.lowerBound)) < 0.1, "\(name) begins at \(begins)")
            #expect(abs(Double(places.count) * Self.frameLength - Double(broadcast.window.count)) < 0.1, "\(name)")
        }
        eventsSeen = rig.events.count
    }

    /// Protects one recording for ever, every tenth day.
    private func protectNewest(of kept: Set<MonthOracle.Broadcast>) throws {
        guard now / 86_400 % 10 == 3, let newest = kept.filter({ $0.show == "first" }).max(by: { $0.day < $1.day })
        else { return }
        let id = try #require(recordings().first { $0.show?.id == "first" }?.id)
        #expect(try rig.answer { rig.daemon.recordings.protect(id, true, $0) } == nil)
        protected.insert(newest)
        waitForCatalog()
    }

    // MARK: - The catalog

    private func waitForCatalog() { _ = recordings() }

    /// All recordings, the newest first.
    private func recordings() -> [CatalogRecording] {
        let answer = Monitor<[CatalogRecording]?>(nil)
        rig.daemon.catalog?.ask({ store throws(CatalogError) in
            var query = CatalogQuery()
            query.limit = 1_000
            return try store.recordings(query)
        }) { result in answer.withLock { $0 = (try? result.get()) ?? [] } }
        #expect(rig.reactor.pump { answer.withLock { $0 } != nil })
        return answer.withLock { $0 } ?? []
    }

    private func cataloged() -> [String] {
        recordings().compactMap { recording in
            guard let show = recording.show?.id, let began = recording.began?.instant else { return nil }
            let time = Int((began - MonthOracle.start).inSeconds.rounded())
            let broadcast = MonthOracle.broadcasts.first { $0.show == show && abs($0.window.lowerBound - time) < 100 }
            return broadcast?.name
        }
    }
}
