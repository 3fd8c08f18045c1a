// SPDX-License-Identifier: MIT

/// What other people's software says of a recording: ffprobe, ffmpeg and mpg123. Blocks while they work.
package enum MediaProbe {
    /// What ffprobe makes of a file.
    package struct Description: Hashable, Sendable {
        /// ffmpeg's names of the container and the codec, such as `mp3` and `mp3`, or `ogg` and `opus`.
        package let container: String
        package let codec: String
        package let sampleRate: Int
        package let channels: Int
        /// The duration that players show, in seconds.
        package let seconds: Double
        /// Title and other tags, by their lower-case names.
        package let tags: [String: String]
    }

    /// Describes a file from what ffprobe prints.
    package static func describe(_ path: String) throws -> Description {
        let outcome = try ChildProcess(
            .ffprobe,
            ["-v", "error", "-of", "flat=s=/:h=0", "-show_entries"]
                + ["format=format_name,duration:format_tags:stream=codec_name,sample_rate,channels:stream_tags", path]
        ).wait(within: .seconds(60))
        guard outcome.succeeded, outcome.standardError.isEmpty else {
            throw SetupError("ffprobe \(path): \(outcome.standardError)")
        }
        var values: [String: String] = [:]
        for line in outcome.text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let name = parts[0].split(separator: "/").last else { continue }
            values[name.lowercased()] = parts[1].trimming("\"")
        }
        guard let container = values["format_name"], let codec = values["codec_name"],
            let rate = values["sample_rate"].flatMap({ Int($0) }),
            let channels = values["channels"].flatMap({ Int($0) }),
            let seconds = values["duration"].flatMap({ Double($0) })
        else { throw SetupError("ffprobe says too little of \(path): \(outcome.text)") }
        return Description(
            container: container, codec: codec, sampleRate: rate, channels: channels, seconds: seconds,
            tags: values.filter {
                !["format_name", "codec_name", "sample_rate", "channels", "duration"].contains($0.key)
            })
    }

    /// What ffmpeg complains about while it decodes a whole file; empty for a sound one.
    package static func decodingErrors(_ path: String) throws -> String {
        let outcome = try ChildProcess(
            .ffmpeg, ["-hide_banner", "-nostdin", "-v", "error", "-i", path, "-f", "null", "-"]
        ).wait(within: .seconds(120))
        return outcome.succeeded ? outcome.standardError : outcome.standardError + "\n\(outcome.ending)"
    }

    /// What mpg123 warns of while it decodes a whole file of MPEG audio; empty for a sound one.
    package static func mpg123Warnings(_ path: String) throws -> String {
        let outcome = try ChildProcess(.mpg123, ["-t", path]).wait(within: .seconds(120))
        let complaints = outcome.standardError.split(separator: "\n").filter { line in
            ["note:", "warning:", "error:"].contains { line.lowercased().contains($0) }
        }
        return (complaints + (outcome.succeeded ? [] : ["\(outcome.ending)"])).joined(separator: "\n")
    }

    /// How long a whole file plays when it is decoded, in seconds, whatever its headers say.
    package static func decodedSeconds(_ path: String) throws -> Double {
        let rate = 8000
        let outcome = try ChildProcess(
            .ffmpeg,
            ["-hide_banner", "-nostdin", "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", "\(rate)", "-"]
        ).wait(within: .seconds(120))
        guard outcome.succeeded else { throw SetupError("ffmpeg \(path): \(outcome.standardError)") }
        return Double(outcome.standardOutput.count / 2) / Double(rate)
    }
}

extension Substring {
    /// Without one such character at each end.
    fileprivate func trimming(_ character: Character) -> String {
        var text = self
        if text.first == character { text = text.dropFirst() }
        if text.last == character { text = text.dropLast() }
        return String(text)
    }
}
