// SPDX-License-Identifier: MIT

import Instants
import Playback
import RadioCore
import Stations
import Storage
import Testing
import Words

@testable import Configuration
@testable import Control
@testable import Daemon
@testable import Engine

/// The figures at `/metrics`: each says what its name promises.
struct MetricsValueTests {
    /// A station with listeners and a recording, whose figures are all different.
    private static var station: DaemonStatus.Station {
        var snapshot = StationSnapshot(
            activity: .delivering, position: Position(frames: 102, bytes: 101, samples: 1), isDelivering: true)
        // These two count the present run only and must not be reported, because the programme has the totals.
        (snapshot.reconnects, snapshot.hedges) = (2, 3)
        (snapshot.drift, snapshot.sinceAudio) = (-109.25, .milliseconds(108_500))
        snapshot.ring.bytes = 110
        snapshot.ring.duration = .seconds(111)
        var station = DaemonStatus.Station(
            id: "fip", programme: ProgrammeSnapshot(station: snapshot, reconnects: 103, hedges: 104))
        (station.splices, station.gaps, station.missing) = (105, 106, .milliseconds(107_500))
        var mount = MountProgress(elapsed: .seconds(4), listeners: 112, title: nil, isOnAir: true)
        (mount.joins, mount.skips, mount.bytes) = (113, 114, 115)
        station.mount = mount
        var recording = DaemonStatus.Recording(key: UseKey("fip", .log), id: "r1")
        recording.snapshot = RecordingSnapshot(elapsed: .seconds(117), bytes: 116)
        station.recordings = [recording]
        return station
    }

    private static var writer: WriterFigures {
        var figures = WriterFigures()
        (figures.waitingBytes, figures.syncs) = (118, 119)
        (figures.syncTime, figures.longestSync) = (.milliseconds(120_500), .milliseconds(121_500))
        return figures
    }

    /// The samples for these stations: each value by its name and labels.
    private static func samples(
        _ stations: [DaemonStatus.Station], player: DaemonStatus.Player? = nil,
        figures: DaemonFigures = DaemonFigures()
    ) -> [String: Double] {
        var status = DaemonStatus(began: WallInstant(nanoseconds: 0), uptime: .seconds(122))
        status.stations = stations
        status.player = player
        let process = DaemonMetrics.ProcessFigures(loopLag: 0.123, memory: 124, descriptors: 125, version: "1.2")
        let lines = DaemonMetrics.text(status, writer, process, figures).split(separator: "\n").filter {
            !$0.hasPrefix("#")
        }
        let pairs = lines.map { line in
            let end = line.lastIndex(of: " ") ?? line.startIndex
            return (String(line[..<end]), Double(line[line.index(after: end)...]) ?? .nan)
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static let promised: [String: Double] = [
        "aircheck_station_up{station=\"fip\"}": 1,
        "aircheck_station_wanted{station=\"fip\"}": 1,
        "aircheck_station_bytes_total{station=\"fip\"}": 101,
        "aircheck_station_frames_total{station=\"fip\"}": 102,
        "aircheck_station_reconnects_total{station=\"fip\"}": 103,
        "aircheck_station_hedges_total{station=\"fip\"}": 104,
        "aircheck_station_splices_total{station=\"fip\"}": 105,
        "aircheck_station_gaps_total{station=\"fip\"}": 106,
        "aircheck_station_gap_seconds_total{station=\"fip\"}": 107.5,
        "aircheck_station_silence_seconds{station=\"fip\"}": 108.5,
        "aircheck_station_drift_ppm{station=\"fip\"}": -109.25,
        "aircheck_station_ring_bytes{station=\"fip\"}": 110,
        "aircheck_station_ring_seconds{station=\"fip\"}": 111,
        "aircheck_listeners{station=\"fip\"}": 112,
        "aircheck_listener_joins_total{station=\"fip\"}": 113,
        "aircheck_listener_skips_total{station=\"fip\"}": 114,
        "aircheck_listener_bytes_total{station=\"fip\"}": 115,
        "aircheck_recording_bytes{station=\"fip\",recording=\"always\"}": 116,
        "aircheck_recording_seconds{station=\"fip\",recording=\"always\"}": 117,
        "aircheck_recording_failing{station=\"fip\",recording=\"always\"}": 0,
        "aircheck_writer_queue_bytes": 118,
        "aircheck_writer_syncs_total": 119,
        "aircheck_writer_sync_seconds_total": 120.5,
        "aircheck_writer_longest_sync_seconds": 121.5,
        "aircheck_uptime_seconds": 122,
        "aircheck_loop_lag_seconds": 0.123,
        "aircheck_memory_bytes": 124,
        "aircheck_open_descriptors": 125,
        "aircheck_build_info{version=\"1.2\"}": 1,
        "aircheck_shows_total{station=\"fip\",show=\"jazz\",result=\"complete\"}": 3,
        "aircheck_shows_total{station=\"fip\",show=\"jazz\",result=\"incomplete\"}": 4,
        "aircheck_shows_total{station=\"fip\",show=\"jazz\",result=\"missed\"}": 2,
        "aircheck_next_show_timestamp_seconds{station=\"fip\",show=\"jazz\"}": 126.5,
        "aircheck_disk_free_bytes": 127,
        "aircheck_station_silent{station=\"fip\"}": 1,
        "aircheck_station_silences_total{station=\"fip\"}": 2,
        "aircheck_disk_low": 1,
        "aircheck_disk_full": 0,
        "aircheck_hook_failures_total{hook=\"1\"}": 1,
        "aircheck_hook_events_dropped_total": 128,
        "aircheck_reloads_failed_total": 1,
        "aircheck_reload_failed": 1,
    ]

    /// A daemon that has missed a show twice, has recorded it completely and incompletely several times, could not
    /// reach a hook, has a disk that was full and is still low, and a wrong configuration.
    private static func figures() throws -> DaemonFigures {
        var figures = DaemonFigures()
        func note(_ event: DaemonEvent) {
            Wording.occurrence(event, in: .init(now: WallInstant(nanoseconds: 0))).map { figures.note($0) }
        }
        let window = WallInstant(nanoseconds: 0)..<WallInstant(nanoseconds: 2_000_000_000)
        let show = Show(
            id: "jazz", name: "Jazz", days: try ShowDays(parsing: ["daily"]), start: try TimeOfDay(parsing: "07:00"),
            end: .length(.seconds(2)), zone: "UTC")
        let airing = Airing(show: "jazz", date: .first, broadcast: window, recording: window)
        let recorded = RecordingResult.Recorded(recording: "r1", files: [])
        for (length, count) in [(Duration.zero, 2), (.seconds(2), 3), (.seconds(1), 4)] {
            let coverage = RecordingResult.Coverage(of: recorded, at: window.lowerBound, length: length)
            let result = RecordingResult(window: window, coverages: [coverage])
            for _ in 0..<count {
                note(.showEnded(ShowAiring(station: "fip", show: show, airing: airing), result))
            }
        }
        let (at, watch) = (WallInstant(nanoseconds: 0), UseKey("fip", .watch))
        let reports: [WatchReport] = [
            .still(.silence, since: at), .sound(.silence, after: .seconds(3)), .still(.tone, since: at),
        ]
        for report in reports { note(.use(watch, .other(report))) }
        note(.other(HookNotice.failed(hook: 0, .gap, why: "its server refuses connections")))
        note(.other(HookNotice.dropped(128)))
        note(.disk(.full, free: 127))
        note(.notConfigured(UnusableConfiguration(.usage, ["no"], remedy: "yes")))
        figures.freeBytes = 127
        figures.isDiskLow = true
        figures.next = ("fip", "jazz", WallInstant(nanoseconds: 126_500_000_000))
        return figures
    }

    @Test("Each figure stands under its own name, and there are no others") func figures() throws {
        let samples = Self.samples([Self.station], figures: try Self.figures())
        let events: [EventName: Double] = [
            .showComplete: 3, .recordingIncomplete: 4, .showMissed: 2, .silence: 2, .soundBack: 1, .diskLow: 1,
        ]
        var promised = Self.promised
        for name in EventName.all {
            promised["aircheck_events_total{event=\"\(name.rawValue)\"}"] = events[name] ?? 0
        }
        for (name, value) in promised { #expect(samples[name] == value, "\(name)") }
        #expect(Set(samples.keys) == Set(promised.keys))
    }

    @Test("Shows and hooks of the configuration are counted from zero on, so that their first event is an increase")
    func zeros() throws {
        var station = StationConfiguration(
            id: "fip", source: StationSettings(urls: ["http://radio.test/"], userAgent: "test", seed: 0))
        for id in ["jazz", "news"] {
            let show = Show(
                id: id, name: id, days: try ShowDays(parsing: ["daily"]), start: try TimeOfDay(parsing: "07:00"),
                end: .length(.seconds(1)), zone: "UTC")
            station.shows.append(.init(show: show, files: station.files))
        }
        station.options[.silence] = .seconds(30)
        var configuration = Configuration()
        configuration.stations = [station]
        configuration.hooks = [HookSettings(events: ["gap"], action: .command(["/bin/true"]))]
        var figures = try Self.figures()
        figures.expect(configuration)
        let samples = Self.samples([], figures: figures)
        #expect(samples["aircheck_shows_total{station=\"fip\",show=\"jazz\",result=\"missed\"}"] == 2)
        #expect(samples["aircheck_shows_total{station=\"fip\",show=\"news\",result=\"missed\"}"] == 0)
        var fresh = DaemonFigures()
        fresh.expect(configuration)
        #expect(Self.samples([], figures: fresh)["aircheck_hook_failures_total{hook=\"1\"}"] == 0)
        #expect(Self.samples([], figures: fresh)["aircheck_station_silences_total{station=\"fip\"}"] == 0)
    }

    @Test("A station that is down is wanted but not up, and an idle station is neither") func waitingAndIdle() {
        var away = Self.station
        away.programme.station?.activity = .silent
        var idle = DaemonStatus.Station(id: "idle", programme: ProgrammeSnapshot(reconnects: 7))
        idle.gaps = 8
        let samples = Self.samples([away, idle])
        #expect(samples["aircheck_station_up{station=\"fip\"}"] == 0)
        #expect(samples["aircheck_station_wanted{station=\"fip\"}"] == 1)
        #expect(samples["aircheck_station_up{station=\"idle\"}"] == 0)
        #expect(samples["aircheck_station_wanted{station=\"idle\"}"] == 0)
        // An idle station keeps its counters. Figures that only a running station has are left out.
        let left = samples.filter { $0.key.contains("\"idle\"") && $0.value > 0 }
        #expect(
            left == [
                "aircheck_station_reconnects_total{station=\"idle\"}": 7,
                "aircheck_station_gaps_total{station=\"idle\"}": 8,
            ])
        #expect(samples["aircheck_station_bytes_total{station=\"idle\"}"] == nil)
        #expect(samples["aircheck_listeners{station=\"idle\"}"] == nil)
    }

    @Test("A recording that the disk refuses is failing") func failingRecording() {
        var station = Self.station
        station.recordings[0].snapshot?.failure = Failure(.storage, "full", remedy: "make room")
        #expect(Self.samples([station])["aircheck_recording_failing{station=\"fip\",recording=\"always\"}"] == 1)
    }

    @Test("A player counts as playing while it has sound, and its underruns are counted") func player() {
        let names = ["aircheck_player_playing{station=\"fip\"}", "aircheck_player_underruns_total{station=\"fip\"}"]
        func values(_ player: DaemonStatus.Player) -> [Double?] {
            let samples = Self.samples([], player: player)
            return names.map { samples[$0] }
        }
        var player = DaemonStatus.Player(station: "fip", volume: 1)
        #expect(values(player) == [0, 0])
        var now = PlayerSnapshot()
        (now.status.state, now.underruns) = (.playing, 7)
        player.snapshot = now
        #expect(values(player) == [1, 7])
        player.snapshot?.status.state = .rebuffering(.outputLost)
        #expect(values(player) == [0, 7])
    }
}
