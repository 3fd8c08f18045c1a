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

    private func time(_ instant: WallInstant) -> CivilTime { CivilTime(instant, in: zone) }

    // MARK: - Status

    func status(_ status: DaemonStatus) -> JSONValue {
        .object([
            "started": time(status.began), "uptime": status.uptime, "listen": status.addresses.map { "\($0)" },
            "needs_password": status.needsPassword, "play_socket": status.ownersSocket.flatMap(Self.path),
            "stations": status.stations.map { station($0, at: status.addresses) }, "player": status.player.map(player),
        ])
    }

    private static func path(_ address: SocketAddress) -> String? {
        if case .unix(let path) = address.host { path } else { nil }
    }

    private func station(_ station: DaemonStatus.Station, at addresses: [SocketAddress]) -> JSONValue {
        let now = station.programme.station
        // Stations send an empty title when nothing is announced. It is encoded as null.
        let title = now?.title.flatMap { $0.isEmpty ? nil : $0 }
        // The compiler would take seconds for these in the object.
        let kbps: Int64? = now.flatMap(\.bitRate).map { Int64(($0 / 1_000).rounded()) }
        let urls: [String] = station.path.map { Wording.urls(addresses, $0) } ?? []
        return .object([
            "id": station.id, "name": station.name ?? now?.info?.name, "state": Self.state(station),
            "state_text": Self.words(station), "retry_seconds": Self.wait(station),
            "title": title, "entry": now?.info?.entryJSON, "content_type": now?.info?.contentType,
            "codec": now?.format?.codec.rawValue, "kbps": kbps, "bytes": now?.position.bytes ?? 0,
            "frames": now?.position.frames ?? 0, "mount": station.path, "urls": urls,
            "listeners": station.mount?.listeners,
            "recordings": station.recordings.map(recording), "reconnects": station.programme.reconnects,
            "hedges": station.programme.hedges, "splices": station.splices, "gaps": station.gaps,
            "gap_seconds": station.missing, "drift_ppm": now?.drift, "behind_seconds": now?.behind,
            "hls": now?.segments.map(\.json), "last_error": station.failure.map(lastError),
        ])
    }

    /// The state of a player. The volume is in percent. It is the sound server's volume, or the configured volume until
    /// the sound server's is known.
    private func player(_ player: DaemonStatus.Player) -> JSONValue {
        let now = player.snapshot
        let loss = now?.status.lossOfSound
        return .object([
            "station": player.station, "state": Self.state(now),
            "state_text": now.map { Wording.state($0.status) } ?? "not running",
            "volume": Int64(((now?.volume ?? player.volume) * 100).rounded()), "muted": now?.isMuted ?? false,
            "device": now?.device, "error": loss.map(Self.failure),
        ])
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
        object.append("ago", last.ago)
        return .object(object)
    }

    private func recording(_ recording: DaemonStatus.Recording) -> JSONValue {
        var object: JSONObject = ["id": recording.id, "kind": recording.key.kind.word]
        if let broadcast = recording.key.broadcast {
            object.append([
                "show": broadcast.show, "show_name": recording.show, "date": broadcast.date,
                "time": broadcast.time.ifKnown,
            ])
        }
        object.append([
            "number": recording.key.number.ifKnown, "from": recording.window.map { time($0.lowerBound) },
            "until": recording.window.map { time($0.upperBound) }, "elapsed": recording.snapshot?.elapsed,
            "bytes": recording.snapshot?.bytes ?? 0, "error": (recording.snapshot?.failure).map(Self.failure),
        ])
        return .object(object)
    }

    static func failure(_ failure: Failure) -> JSONValue {
        .object(["class": failure.failureClass.rawValue, "message": failure.message, "remedy": failure.remedy])
    }

    func unusable(_ configuration: UnusableConfiguration) -> JSONValue {
        .object([
            "class": configuration.failureClass.rawValue, "message": Wording.isNotConfigured,
            "remedy": configuration.remedy, "problems": configuration.problems,
        ])
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
        .object([
            "until": time(forecast.span.upperBound), "cut": isCut, "shows": shows(forecast),
            "always": forecast.continuous.map {
                ["station": $0, "bytes_expected": forecast.bytes(ofContinuous: $0)] as JSONObject
            },
            "unknown": forecast.stationsOfUnknownRate, "bytes_expected": forecast.bytes, "bytes_free": free,
            "full_at": free.flatMap(forecast.timeOfFullDisk).map(time),
        ])
    }

    private func shows(_ forecast: ScheduleForecast) -> [JSONObject] {
        let airings = forecast.airings
        return zip(airings, Self.overlaps(airings)).map { airing, others in
            [
                "station": airing.station, "show": airing.show.id, "name": airing.show.name,
                "date": airing.airing.date, "start": time(airing.airing.broadcast.lowerBound),
                "end": time(airing.airing.broadcast.upperBound), "record_from": time(airing.window.lowerBound),
                "record_until": time(airing.window.upperBound), "refused": forecast.refused.contains(airing.key),
                "overlaps": others.map { "\(airings[$0].station)/\(airings[$0].show.id)" },
                "bytes_expected": forecast.bytes(of: airing),
            ]
        }
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
