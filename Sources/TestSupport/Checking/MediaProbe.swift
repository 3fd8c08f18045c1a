// SPDX-License-Identifier: MIT

import TestTools

/// Runs third-party software on a recording: ffprobe, ffmpeg and mpg123. All calls block until the program ends.
package enum MediaProbe {
    /// The description of a file by ffprobe.
    package struct Description: Hashable, Sendable {
        /// ffmpeg's names of the container and the codec, such as `mp3` and `mp3`, or `ogg` and `opus`.
        package let container: String
        package let codec: String
        package let sampleRate: Int
        package let channels: Int
        /// The duration that players show, in seconds.
        package let seconds: Double
        /// The title and other tags, by lower-case name.
        package let tags: [String: String]
    }

    /// Describes a file with ffprobe.
    ///
    /// - Throws: ``SetupError`` if ffprobe reports an error or does not describe the file completely.
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

    /// The errors that ffmpeg prints when it decodes a whole file; empty for a valid file.
    package static func decodingErrors(_ path: String) throws -> String {
        let outcome = try ChildProcess(
            .ffmpeg, ["-hide_banner", "-nostdin", "-v", "error", "-i", path, "-f", "null", "-"]
        ).wait(within: .seconds(120))
        return outcome.succeeded ? outcome.standardError : outcome.standardError + "\n\(outcome.ending)"
    }

    /// The warnings that mpg123 prints when it decodes a whole file of MPEG audio; empty for a valid file.
    package static func mpg123Warnings(_ path: String) throws -> String {
        let outcome = try ChildProcess(.mpg123, ["-t", path]).wait(within: .seconds(120))
        let complaints = outcome.standardError.split(separator: "\n").filter { line in
            ["note:", "warning:", "error:"].contains { line.lowercased().contains($0) }
        }
        return (complaints + (outcome.succeeded ? [] : ["\(outcome.ending)"])).joined(separator: "\n")
    }

    /// The duration of a whole file, in seconds, measured by decoding it and not taken from its headers.
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
    /// Removes `character` once from each end.
    fileprivate func trimming(_ character: Character) -> String {
        var text = self
        if text.first == character { text = text.dropFirst() }
        if text.last == character { text = text.dropLast() }
        return String(text)
    }
}
