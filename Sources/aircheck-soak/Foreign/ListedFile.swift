// SPDX-License-Identifier: MIT

import RadioFormats
import TestTools

/// A running ffprobe. Running several in parallel takes less time than one after another.
final class Listing {
    private let process: ChildProcess

    init(_ path: String) throws {
        process = try ChildProcess(
            .ffprobe,
            ["-v", "quiet", "-select_streams", "a:0", "-show_data_hash", "CRC32", "-of", "json", "-show_entries"]
                + [
                    "format=format_name:stream=codec_name,sample_rate,time_base:packet=pos,size,duration,data_hash",
                    path,
                ])
    }

    /// Waits for the end. Returns nil if ffprobe cannot read the file.
    func report() throws -> JSONValue? {
        let outcome = try process.wait(within: .seconds(300))
        return outcome.succeeded ? try JSONValue(parsing: outcome.standardOutput, limit: 256 << 20) : nil
    }
}

/// The packets that ffprobe lists for the file's first audio stream.
struct ListedFile {
    /// ffmpeg's names of the container and codec; empty if it finds no audio.
    private(set) var container = ""
    private(set) var codec = ""
    private(set) var sampleRate = 0
    private(set) var units: [AudioUnit] = []

    init(_ listing: Listing) throws {
        guard let report = try listing.report(), let stream = report["streams"]?.arrayValue?.first else { return }
        container = report["format"]?["format_name"]?.stringValue ?? ""
        codec = stream["codec_name"]?.stringValue ?? ""
        sampleRate = stream["sample_rate"]?.stringValue.flatMap { Int($0) } ?? 0
        let base = stream["time_base"]?.stringValue?.split(separator: "/").compactMap { Int($0) } ?? []
        let ticks = base.count == 2 ? base[1] / max(1, base[0]) : 0
        let rate = codec == "opus" ? 48_000 : sampleRate
        units = (report["packets"]?.arrayValue ?? []).map { packet in
            let duration = packet["duration"]?.integerValue.map(Int.init)
            return AudioUnit(
                offset: packet["pos"]?.stringValue.flatMap { Int($0) } ?? -1,
                size: packet["size"]?.stringValue.flatMap { Int($0) } ?? 0,
                checksum: packet["data_hash"]?.stringValue.flatMap { UInt32($0.dropFirst(6), radix: 16) } ?? 0,
                samples: duration.flatMap { ticks > 0 ? ($0 * rate + ticks / 2) / ticks : nil })
        }
    }
}
