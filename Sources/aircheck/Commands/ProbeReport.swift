// SPDX-License-Identifier: MIT

import Control
import Engine
import Instants
import RadioCore
import RadioFormats
import Words

/// The output of `probe`: the same facts as lines of text or as a JSON object.
enum ProbeReport {
    static func lines(_ result: ProbeResult) -> [String] {
        var rows: [(String, String?)] = [
            ("station", result.info?.name),
            ("address", result.info?.url),
        ]
        rows += result.playlists.map { ("playlist", TitleText.cleaned($0)) }
        rows += result.segments.map(Wording.facts)?.map { ($0.name, $0.text) } ?? []
        rows += [
            ("behind", result.behind.flatMap(Wording.behind)),
            ("server", result.info?.server),
            ("codec", result.format.map(codec)),
            ("bit rate", rate(result)),
            ("sample rate", result.format.map { "\($0.playedSampleRate) Hz" }),
            ("channels", result.format.map(channels)),
            ("title", result.title.flatMap { $0.isEmpty ? nil : $0 }),
            ("burst", result.burst.map { "\(tenths($0)) s of audio at once on connect" }),
            ("length", result.info?.length.map { Measure.bytes($0) }),
            ("genre", result.info?.genre),
            ("about", result.info?.about),
            ("homepage", result.info?.homepage),
        ]
        rows += (result.info?.icyFields ?? []).map { ($0.name, $0.value) }
        let width = rows.map { $0.0.count }.max() ?? 0
        return rows.compactMap { name, value in
            value.map { name + String(repeating: " ", count: width - name.count + 2) + TitleText.cleaned($0) }
        }
    }

    static func json(_ result: ProbeResult, address: String) -> JSONValue {
        let (info, format) = (result.info, result.format)
        var icy = JSONObject()
        for field in info?.icyFields ?? [] { icy[field.name] = .string(field.value) }
        return .object([
            "url": info?.url ?? address, "name": info?.name, "server": info?.server,
            "content_type": info?.contentType, "kind": info?.kind.rawValue, "codec": format?.codec.rawValue,
            "format": format.map(words), "mpeg_version": format?.mpegVersion?.rawValue, "layer": format?.codec.layer,
            "sample_rate": format?.playedSampleRate, "channels": format?.channels,
            "bit_rate": result.bitsPerSecond.map { Int64($0.rounded()) }, "bit_rate_mode": result.bitRateMode,
            "declared_bit_rate": info?.declaredBitRate.map { $0 * 1000 }, "title": result.title,
            "burst": result.burst.map { Double(Int64($0.inSeconds * 1000)) / 1000 },
            "metadata_interval": info?.metadataInterval, "playlists": result.playlists, "icy": icy,
            "hls": result.segments.map(\.json), "behind_seconds": result.behind,
            "error": result.failure.map(ReportJSON.error),
        ])
    }

    /// The format in words, such as "HE-AAC, 44100 Hz, 1 (mono, or stereo for players with HE-AAC v2)".
    private static func words(_ format: StreamFormat) -> String {
        "\(codec(format)), \(format.playedSampleRate) Hz, \(channels(format))"
    }

    private static func codec(_ format: StreamFormat) -> String {
        guard let layer = format.codec.layer else { return format.words }
        return "MPEG-\(format.mpegVersion?.rawValue ?? "1") layer \(String(repeating: "I", count: layer))"
            + " (\(format.codec.rawValue))"
    }

    private static func rate(_ result: ProbeResult) -> String? {
        guard let bits = result.bitsPerSecond else { return nil }
        let measured = "\(tenths(.seconds(bits / 1000))) kbit/s"
        let mode = result.bitRateMode.map { " \($0)" } ?? ""
        let declared = result.info?.declaredBitRate.map { ", the station says \($0)" } ?? ""
        return measured + mode + " measured over \(tenths(result.seen)) s" + declared
    }

    private static func channels(_ format: StreamFormat) -> String {
        switch format.channels {
        // Parametric stereo (HE-AAC v2) is inside the data of SBR.
        case 1 where format.sbr != .absent: "1 (mono, or stereo if it is HE-AAC v2)"
        case 1: "1 (mono)"
        case 2: "2 (stereo)"
        case let count: "\(count)"
        }
    }

    private static func tenths(_ duration: Duration) -> String {
        let value = Int64((duration.inSeconds * 10).rounded())
        return "\(value / 10).\(value % 10)"
    }
}
