// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats
import TestSupport
import TestTools

/// Records a long MP3 from a local web server as fast as possible, and compares the cost with that of ffmpeg and curl.
///
/// The programs take turns, write new files each time, and never run at the same time. CPU time is user and system time
/// of the program alone; the web server is not included.
struct FlatOut {
    private static let megabytes = 384
    private static let rounds = 3
    private static let limit = Duration.seconds(120)

    /// The programs that are compared.
    private enum Runner: CaseIterable {
        case aircheck, ffmpeg, ffmpegOnFile, curl
    }

    /// The cost of one run.
    private struct Cost {
        var processorSeconds: Double
        /// The peak memory in MiB.
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

    /// Writes and removes a file as large as the recording. The host of a virtual machine reclaims free memory and
    /// returns it when it is touched, so the first program to fill the page cache would bear that cost for all.
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
        // The peak never decreases, so the last reading before the end is sufficient.
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

    /// Checks that everything was recorded: all bytes of the source, in one segment for each hour or part of an hour.
    ///
    /// - Throws: ``SetupError`` otherwise.
    private func check(_ outcome: ChildProcess.Outcome, _ source: LongFile) throws {
        let report = try JSONValue(parsing: outcome.standardOutput, limit: 1 << 20)
        let segments = report["segments"]?.arrayValue ?? []
        let inSegments = segments.reduce(0) { $0 + ($1["bytes"]?.integerValue ?? 0) }
        guard report["bytes"]?.integerValue == Int64(source.bytes), inSegments == Int64(source.bytes),
            segments.count == (source.seconds + 3599) / 3600
        else { throw SetupError("the recording is not the source:\n\(outcome.text)\(outcome.standardError)") }
    }
}
