// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import Engine
import HTTPServer
import Instants
import Playback
import RadioCore
import RadioFormats
import Recorder
import Stations
import Words

/// Encodes the answers of a daemon's API as JSON. Times are RFC 3339 in `zone`.
struct DaemonJSON {
    let zone: any TimeZoneRules

    private func time(_ instant: WallInstant) -> JSONValue { .string(CivilTime(instant, in: zone).rfc3339) }

    private func seconds(_ duration: Duration) -> JSONValue {
        .seconds(duration.inSeconds)
    }

    // MARK: - Status

    func status(_ status: DaemonStatus) -> JSONValue {
        var object = JSONObject()
        object.append("started", time(status.began))
        object.append("uptime", seconds(status.uptime))
        object.append("listen", .array(status.addresses.map { .string("\($0)") }))
        object.append("needs_password", .bool(status.needsPassword))
        object.append("play_socket", status.ownersSocket.flatMap(Self.path).map(JSONValue.string) ?? .null)
        object.append("stations", .array(status.stations.map { station($0, at: status.addresses) }))
        object.append("player", status.player.map(player) ?? .null)
        return .object(object)
    }

    private static func path(_ address: SocketAddress) -> String? {
        if case .unix(let path) = address.host { path } else { nil }
    }

    private func station(_ station: DaemonStatus.Station, at addresses: [SocketAddress]) -> JSONValue {
        let now = station.programme.station
        var object = JSONObject()
        object.append("id", .string(station.id))
        object.append("name", (station.name ?? now?.info?.name).map(JSONValue.string) ?? .null)
        object.append("state", .string(Self.state(station)))
        object.append("state_text", .string(Self.words(station)))
        object.append("retry_seconds", Self.wait(station).map(seconds) ?? .null)
        // Stations send an empty title when nothing is announced. It is encoded as null.
        object.append("title", now?.title.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null)
        object.append("entry", now?.info?.entryJSON ?? .null)
        object.append("content_type", (now?.info?.contentType).map(JSONValue.string) ?? .null)
        object.append("codec", (now?.format?.codec.rawValue).map(JSONValue.string) ?? .null)
        object.append("kbps", (now?.bitRate).map { .integer(Int64(($0 / 1_000).rounded())) } ?? .null)
        object.append("bytes", .integer(now?.position.bytes ?? 0))
        object.append("frames", .integer(now?.position.frames ?? 0))
        object.append("mount", station.path.map(JSONValue.string) ?? .null)
        let urls = station.path.map { Wording.urls(addresses, $0) } ?? []
        object.append("urls", .array(urls.map(JSONValue.string)))
        object.append("listeners", (station.mount?.listeners).map { .integer(Int64($0)) } ?? .null)
        object.append("recordings", .array(station.recordings.map(recording)))
        object.append("reconnects", .integer(Int64(station.programme.reconnects)))
        object.append("hedges", .integer(Int64(station.programme.hedges)))
        object.append("splices", .integer(Int64(station.splices)))
        object.append("gaps", .integer(Int64(station.gaps)))
        object.append("gap_seconds", seconds(station.missing))
        object.append("drift_ppm", now?.drift.map(JSONValue.number) ?? .null)
        object.append("last_error", station.failure.map(lastError) ?? .null)
        return .object(object)
    }

    /// The state of a player. The volume is in percent. It is the sound server's volume, or the configured volume until
    /// the sound server's is known.
    private func player(_ player: DaemonStatus.Player) -> JSONValue {
        let now = player.snapshot
        let loss = now?.status.lossOfSound
        var object = JSONObject()
        object.append("station", .string(player.station))
        object.append("state", .string(Self.state(now)))
        object.append("state_text", .string(now.map { Wording.state($0.status) } ?? "not running"))
        object.append("volume", .integer(Int64(((now?.volume ?? player.volume) * 100).rounded())))
        object.append("muted", .bool(now?.isMuted ?? false))
        object.append("device", now?.device.map(JSONValue.string) ?? .null)
        object.append("error", loss.map(Self.failure) ?? .null)
        return .object(object)
    }

    /// The state of a player in one word, for programs.
    private static func state(_ player: PlayerSnapshot?) -> String {
        guard let status = player?.status else { return "stopped" }
        guard status.lossOfSound == nil else { return "no-sound" }
        return switch status.state {
        case .idle, .opening, .prebuffering: "starting"
        case .playing, .draining: "playing"
        case .rebuffering: "buffering"
        case .paused: "paused"
        case .stopping, .stopped: "stopped"
        }
    }

    private func lastError(_ last: DaemonStatus.LastFailure) -> JSONValue {
        guard case .object(var object) = Self.failure(last.failure) else { return .null }
        object.append("ago", seconds(last.ago))
        return .object(object)
    }

    private func recording(_ recording: DaemonStatus.Recording) -> JSONValue {
        var object = JSONObject()
        object.append("id", .string(recording.id))
        object.append("kind", .string(recording.key.kind.word))
        if let broadcast = recording.key.broadcast {
            object.append("show", .string(broadcast.show))
            object.append("show_name", recording.show.map(JSONValue.string) ?? .null)
            object.append("date", .string("\(broadcast.date)"))
            if let time = broadcast.time { object.append("time", .string("\(time)")) }
        }
        if let number = recording.key.number { object.append("number", .integer(Int64(number))) }
        object.append("from", recording.window.map { time($0.lowerBound) } ?? .null)
        object.append("until", recording.window.map { time($0.upperBound) } ?? .null)
        object.append("elapsed", recording.snapshot.map { seconds($0.elapsed) } ?? .null)
        object.append("bytes", .integer(recording.snapshot?.bytes ?? 0))
        object.append("error", recording.snapshot?.failure.map(Self.failure) ?? .null)
        return .object(object)
    }

    static func failure(_ failure: Failure) -> JSONValue {
        [
            "class": .string(failure.failureClass.rawValue), "message": .string(failure.message),
            "remedy": .string(failure.remedy),
        ]
    }

    func unusable(_ configuration: UnusableConfiguration) -> JSONValue {
        [
            "class": .string(configuration.failureClass.rawValue), "message": .string(Wording.isNotConfigured),
            "remedy": .string(configuration.remedy), "problems": .array(configuration.problems.map(JSONValue.string)),
        ]
    }

    /// The state of a station in one word, for programs.
    private static func state(_ station: DaemonStatus.Station) -> String {
        switch station.programme.station?.activity {
        case nil: "idle"
        case .lookingUp, .connecting, .awaitingAudio: "connecting"
        case .delivering, .growing: "live"
        case .locating, .silent, .hedging: "stalled"
        case .waiting: "waiting"
        case .stopped: "stopped"
        }
    }

    /// The time until the connection to the station is retried; nil unless the station is waiting for a retry.
    private static func wait(_ station: DaemonStatus.Station) -> Duration? {
        guard case .waiting(let wait, _) = station.programme.station?.activity else { return nil }
        return wait
    }

    /// The state of a station in a few words, for people.
    private static func words(_ station: DaemonStatus.Station) -> String {
        guard let activity = station.programme.station?.activity else { return "not needed now" }
        guard activity != .stopped else { return "stopped" }
        return Wording.waiting(activity) ?? "on air"
    }

    // MARK: - Schedule

    /// `free`: the free bytes of the recordings' disk; nil if unknown. `isCut`: whether the forecast ends early because
    /// it would have too many broadcasts.
    func schedule(_ forecast: ScheduleForecast, free: Int64?, isCut: Bool) -> JSONValue {
        var object = JSONObject()
        object.append("until", time(forecast.span.upperBound))
        object.append("cut", .bool(isCut))
        object.append("shows", shows(forecast))
        let continuous = forecast.continuous.map { id -> JSONValue in
            let bytes = forecast.bytes(ofContinuous: id).map(JSONValue.integer)
            return ["station": .string(id), "bytes_expected": bytes ?? .null]
        }
        object.append("always", .array(continuous))
        object.append("unknown", .array(forecast.stationsOfUnknownRate.map(JSONValue.string)))
        object.append("bytes_expected", .integer(forecast.bytes))
        object.append("bytes_free", free.map(JSONValue.integer) ?? .null)
        object.append("full_at", free.flatMap(forecast.timeOfFullDisk).map(time) ?? .null)
        return .object(object)
    }

    private func shows(_ forecast: ScheduleForecast) -> JSONValue {
        let airings = forecast.airings
        let overlaps = Self.overlaps(airings)
        return .array(
            airings.enumerated().map { index, airing in
                var object = JSONObject()
                object.append("station", .string(airing.station))
                object.append("show", .string(airing.show.id))
                object.append("name", .string(airing.show.name))
                object.append("date", .string("\(airing.airing.date)"))
                object.append("start", time(airing.airing.broadcast.lowerBound))
                object.append("end", time(airing.airing.broadcast.upperBound))
                object.append("record_from", time(airing.window.lowerBound))
                object.append("record_until", time(airing.window.upperBound))
                object.append("refused", .bool(forecast.refused.contains(airing.key)))
                let others = overlaps[index].map { airings[$0] }
                object.append("overlaps", .array(others.map { .string("\($0.station)/\($0.show.id)") }))
                object.append("bytes_expected", forecast.bytes(of: airing).map(JSONValue.integer) ?? .null)
                return .object(object)
            })
    }

    private static let mostOverlaps = 20

    /// For each broadcast, the indices of up to ``mostOverlaps`` broadcasts at the same time.
    private static func overlaps(_ airings: [ShowAiring]) -> [[Int]] {
        var overlaps = [[Int]](repeating: [], count: airings.count)
        var running: [Int] = []
        for (index, airing) in airings.enumerated() {
            running.removeAll { airings[$0].window.upperBound <= airing.window.lowerBound }
            for other in running {
                if overlaps[index].count < mostOverlaps { overlaps[index].append(other) }
                if overlaps[other].count < mostOverlaps { overlaps[other].append(index) }
            }
            running.append(index)
        }
        return overlaps
    }
}
