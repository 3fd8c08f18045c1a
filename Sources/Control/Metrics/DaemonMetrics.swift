// SPDX-License-Identifier: MIT

import Daemon
import Engine
import Instants
import Playback
import RadioCore
import Stations
import Storage

/// Writes a daemon's figures for Prometheus. Pure.
enum DaemonMetrics {
    /// Figures of the process itself.
    struct ProcessFigures {
        /// The longest delay of the loop in the last 15 s, in seconds.
        var loopLag: Double
        /// Resident memory in bytes; nil if unknown.
        var memory: Int?
        var descriptors: Int?
        var version: String
    }

    static func text(
        _ status: DaemonStatus, _ writer: WriterFigures?, _ process: ProcessFigures,
        _ figures: DaemonFigures = DaemonFigures()
    ) -> String {
        var text = PrometheusText()
        addStations(status.stations, to: &text)
        addRecordings(status.stations, to: &text)
        addPlayer(status.player, to: &text)
        addFigures(figures, to: &text)
        addProcess(status, writer ?? WriterFigures(), process, to: &text)
        return text.text
    }

    private typealias Station = DaemonStatus.Station

    private static func addStations(_ stations: [Station], to text: inout PrometheusText) {
        func add(_ name: String, _ kind: PrometheusText.Kind, _ help: String, _ value: (Station) -> Double?) {
            text.add(
                name, kind, help,
                stations.compactMap { station in value(station).map { ($0, ["station": station.id]) } })
        }
        add("station_up", .gauge, "Whether audio arrives from the station.") {
            $0.programme.station.map { $0.activity == .delivering ? 1 : 0 } ?? 0
        }
        add("station_wanted", .gauge, "Whether anything needs the station at the moment.") {
            $0.programme.station == nil ? 0 : 1
        }
        add("station_bytes_total", .counter, "Bytes of audio received since the station last started.") {
            $0.programme.station.map { Double($0.position.bytes) }
        }
        add("station_frames_total", .counter, "Frames received since the station last started.") {
            $0.programme.station.map { Double($0.position.frames) }
        }
        add("station_reconnects_total", .counter, "Connections opened after an earlier connection ended.") {
            Double($0.programme.reconnects)
        }
        add("station_hedges_total", .counter, "Second connections opened beside a stalled connection.") {
            Double($0.programme.hedges)
        }
        add("station_splices_total", .counter, "Connections that were joined without a lost frame.") {
            Double($0.splices)
        }
        add("station_gaps_total", .counter, "Gaps in the audio.") { Double($0.gaps) }
        add("station_gap_seconds_total", .counter, "Audio that is missing in gaps, as far as known.") {
            $0.missing.inSeconds
        }
        add("station_silence_seconds", .gauge, "Time since the last new audio.") {
            $0.programme.station?.sinceAudio?.inSeconds
        }
        add("station_drift_ppm", .gauge, "How far the station's clock runs fast, in parts per million.") {
            $0.programme.station?.drift
        }
        add("station_ring_bytes", .gauge, "Memory of the recent audio that is kept.") {
            $0.programme.station.map { Double($0.ring.bytes) }
        }
        add("station_ring_seconds", .gauge, "Length of the recent audio that is kept.") {
            $0.programme.station?.ring.duration.inSeconds
        }
        add("listeners", .gauge, "Present listeners.") { ($0.mount?.listeners).map(Double.init) }
        add("listener_joins_total", .counter, "Listeners that have joined.") { ($0.mount?.joins).map(Double.init) }
        add("listener_skips_total", .counter, "How often slow listeners skipped to newer audio.") {
            ($0.mount?.skips).map(Double.init)
        }
        add("listener_bytes_total", .counter, "Bytes sent to listeners.") { ($0.mount?.bytes).map(Double.init) }
    }

    private static func addRecordings(_ stations: [Station], to text: inout PrometheusText) {
        func add(_ name: String, _ help: String, _ value: (DaemonStatus.Recording) -> Double) {
            text.add(
                "recording_\(name)", .gauge, help,
                stations.flatMap { station in
                    station.newestRecordings.map {
                        (value($0), ["station": station.id, "recording": $0.key.kind.label])
                    }
                })
        }
        add("bytes", "Bytes of audio in a recording under way.") { Double($0.snapshot?.bytes ?? 0) }
        add("seconds", "Time since the first audio of a recording under way.") {
            $0.snapshot?.elapsed.inSeconds ?? 0
        }
        add("failing", "Whether a recording under way cannot be written.") { $0.snapshot?.failure == nil ? 0 : 1 }
    }

    private static func addPlayer(_ player: DaemonStatus.Player?, to text: inout PrometheusText) {
        guard let player else { return }
        let labels: PrometheusText.Labels = ["station": player.station]
        let isPlaying = player.snapshot?.status.state == .playing
        text.add("player_playing", .gauge, "Whether the station is heard on this machine.", isPlaying ? 1 : 0, labels)
        text.add(
            "player_underruns_total", .counter, "How often the present player ran out of audio.",
            Double(player.snapshot?.underruns ?? 0), labels)
    }

    private static func addFigures(_ figures: DaemonFigures, to text: inout PrometheusText) {
        for metric in OccurrenceMetric.all {
            text.add(metric.name, metric.kind, metric.help, figures.samples(of: metric))
        }
        text.add(
            "next_show_timestamp_seconds", .gauge, "When the recording of the next show begins.",
            figures.next.map { Double($0.at.nanoseconds) / 1e9 },
            ["station": figures.next?.station ?? "", "show": figures.next?.show ?? ""])
        text.add("disk_free_bytes", .gauge, "Free space for recordings.", figures.freeBytes.map(Double.init))
        text.add("disk_low", .gauge, "Whether less is free than should be.", figures.isDiskLow ? 1 : 0)
        text.add("disk_full", .gauge, "Whether recordings wait for room.", figures.isDiskFull ? 1 : 0)
    }

    private static func addProcess(
        _ status: DaemonStatus, _ writer: WriterFigures, _ process: ProcessFigures, to text: inout PrometheusText
    ) {
        text.add("build_info", .gauge, "The version, as a label.", 1, ["version": process.version])
        text.add("uptime_seconds", .gauge, "Time since the daemon began.", status.uptime.inSeconds)
        text.add(
            "writer_queue_bytes", .gauge, "Bytes of audio waiting to be written to files.", Double(writer.waitingBytes))
        text.add("writer_syncs_total", .counter, "How often audio was synced to disk.", Double(writer.syncs))
        text.add("writer_sync_seconds_total", .counter, "Time that syncing took.", writer.syncTime.inSeconds)
        text.add(
            "writer_longest_sync_seconds", .gauge, "The longest time that syncing took.", writer.longestSync.inSeconds)
        text.add("loop_lag_seconds", .gauge, "Longest delay of the event loop in recent seconds.", process.loopLag)
        text.add("memory_bytes", .gauge, "Resident memory of the process.", process.memory.map(Double.init))
        text.add("open_descriptors", .gauge, "Open descriptors of the process.", process.descriptors.map(Double.init))
    }
}

extension DaemonStatus.Station {
    /// The newest recording of each use. An older recording of the use may still be finishing its files, but it is left
    /// out, because two samples with the same labels make a scrape fail.
    fileprivate var newestRecordings: [DaemonStatus.Recording] {
        let newest = Dictionary(recordings.map { ($0.key, $0) }) { first, second in
            (first.snapshot?.elapsed ?? .zero) < (second.snapshot?.elapsed ?? .zero) ? first : second
        }
        return newest.values.sorted { $0.key.description < $1.key.description }
    }
}
