// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats
import TestSupport

/// A long MP3 from a local web server, recorded as fast as it comes, beside what ffmpeg and curl need for the same.
///
/// Everyone writes fresh files, by turns, and only one runs at a time. Processor time is user and system together, of
/// the program alone (the web server has its own).
struct FlatOut {
    private static let megabytes = 384
    private static let rounds = 3
    private static let limit = Duration.seconds(120)

    /// Who takes part.
    private enum Runner: CaseIterable {
        case aircheck, ffmpeg, ffmpegOnFile, curl
    }

    /// What one run took.
    private struct Cost {
        var processorSeconds: Double
        /// In MiB.
        var peakMemory: Double
    }

    func run() throws -> [Figure] {
        note("flat out: \(Self.rounds) rounds of \(Self.megabytes) MiB")
        let source = try LongFile(megabytes: Self.megabytes)
        let server = try NginxServer(serving: source.folder.path)
        let url = "http://127.0.0.1:\(server.port)/\(LongFile.name)"
        var costs: [Runner: [Cost]] = [:]
        for _ in 0..<Self.rounds {
            for runner in Runner.allCases {
                costs[runner, default: []].append(try run(runner, url, source))
            }
        }
        return withExtendedLifetime(server) { figures(costs) }
    }

    private func figures(_ costs: [Runner: [Cost]]) -> [Figure] {
        func time(_ runner: Runner) -> Double { median(costs[runner, default: []].map(\.processorSeconds)) }
        func memory(_ runner: Runner) -> Double { costs[runner, default: []].map(\.peakMemory).max() ?? .nan }
        let ours = decimal(time(.aircheck)) + " s"
        func row(_ name: String, _ peer: Runner, _ goal: Figure.Goal) -> Figure {
            Figure(
                name: "flat out: CPU, \(name)", ours: ours, peer: decimal(time(peer)) + " s",
                value: time(.aircheck) / time(peer), goal: goal)
        }
        return [
            row("against ffmpeg", .ffmpeg, .atMost(1.0 / 4)),
            row("against ffmpeg on the local file", .ffmpegOnFile, .none),
            row("against curl -o", .curl, .atMost(1.3)),
            Figure(
                name: "flat out: peak memory, MiB", ours: decimal(memory(.aircheck)),
                peer: "ffmpeg " + decimal(memory(.ffmpeg)), value: memory(.aircheck), goal: .atMost(48)),
        ]
    }

    /// Writes and removes a file as large as the one that will be recorded. The host of a virtual machine takes back
    /// memory that is free, and gives it when it is touched: the first to fill the page cache would pay for all.
    private static func touchMemory(in folder: TemporaryFolder, _ source: LongFile) throws {
        let path = folder.file("touched")
        let copy = try ChildProcess("/bin/cp", [source.path, path]).wait(within: limit)
        guard copy.succeeded else { throw SetupError("cannot copy to \(path): \(copy.standardError)") }
        unlink(path)
    }

    private func run(_ runner: Runner, _ url: String, _ source: LongFile) throws -> Cost {
        let output = try TemporaryFolder("aircheck-flat-out")
        try Self.touchMemory(in: output, source)
        let process: ChildProcess
        switch runner {
        case .aircheck:
            process = try ChildProcess(
                aircheckBinary(), ["record", url, "--segment", "1h", "--output", output.path, "--json"])
        case .ffmpeg, .ffmpegOnFile:
            process = try ChildProcess(
                .ffmpeg,
                ["-hide_banner", "-loglevel", "error", "-nostdin", "-i", runner == .ffmpeg ? url : source.path]
                    + ["-c", "copy", "-f", "segment", "-segment_time", "3600", output.file("%03d.mp3")])
        case .curl:
            process = try ChildProcess(.curl, ["--silent", "--output", output.file("all.mp3"), url])
        }
        // The peak only ever grows, so the last look before the end is as good as all.
        let meter = ProcessMeter(pid: process.pid)
        var peak = 0
        _ = waitUntil(Self.limit) {
            peak = max(peak, meter.peakMemory() ?? 0)
            return !process.isRunning
        }
        let outcome = try process.wait(within: .seconds(1))
        guard outcome.succeeded else { throw SetupError("\(runner): \(outcome.ending)\n\(outcome.standardError)") }
        if runner == .aircheck { try check(outcome, source) }
        return Cost(processorSeconds: outcome.processorSeconds, peakMemory: Double(peak) / 1_048_576)
    }

    /// Whether everything was recorded: all bytes of the source, all frames, in as many segments as it has hours.
    private func check(_ outcome: ChildProcess.Outcome, _ source: LongFile) throws {
        let report = try JSONValue(parsing: outcome.standardOutput, limit: 1 << 20)
        let segments = report["segments"]?.arrayValue ?? []
        let inSegments = segments.reduce(0) { $0 + ($1["bytes"]?.integerValue ?? 0) }
        guard report["bytes"]?.integerValue == Int64(source.bytes), inSegments == Int64(source.bytes),
            segments.count == (source.seconds + 3599) / 3600
        else { throw SetupError("the recording is not the source:\n\(outcome.text)\(outcome.standardError)") }
    }
}
