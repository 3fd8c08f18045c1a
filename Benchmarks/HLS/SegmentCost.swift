// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Glibc
import Instants
import RadioFormats
import TestSupport
import TestTools

/// Measures what stations in HLS cost: one beside ffmpeg and streamlink, a hundred in one process, and how long audio
/// takes from the list to the hub. Segments are transport streams of six seconds, with AAC of 96 kbit/s.
struct SegmentCost {
    let seconds: Int

    private static let stations = 100
    /// The seconds at the start that are not counted.
    private static let settling = 25

    func run() throws -> [Figure] {
        note("hls-cost: one station for \(seconds) s, then \(Self.stations) stations")
        let programme = try Broadcast(ReferenceProgramme(.init(.aac(96), seconds: seconds + 120)))
        let run = HLSRun { $0.segmentLength = .seconds(6) }
        let script = HLSScript(HLSRendition(programme, .transportStream, runs: [run], window: 10))
        return try one(script) + many(script)
    }

    // MARK: One station

    private struct Reading {
        let load: Double
        let dirty: Double
        let requests: Double
    }

    private func one(_ script: HLSScript) throws -> [Figure] {
        let recorders = try HLSRecorder.Program.allCases.compactMap {
            try HLSRecorder($0, [("a.test", script)], began: .now)
        }
        let listening = try SegmentLatency(script)
        pause(Self.settling)
        for recorder in recorders where !recorder.isRunning {
            throw SetupError("\(recorder.program.rawValue) ended:\n\(recorder.words)")
        }
        let (start, before) = (MonotonicInstant.now, try recorders.map { try $0.meter.processorTime() })
        pause(seconds - Self.settling)
        let readings = try zip(recorders, before).map { recorder, before in
            let used = Duration.nanoseconds(try recorder.meter.processorTime() - before)
            return Reading(
                load: used / (MonotonicInstant.now - start) * 100,
                dirty: Double(try recorder.meter.memory().dirty) / 1_048_576,
                requests: recorder.servers.record.requestsPerSegment)
        }
        for recorder in recorders { recorder.end() }
        func row(_ name: String, _ value: KeyPath<Reading, Double>, _ unit: String, most: Double) -> Figure {
            let peers = zip(recorders, readings).dropFirst().map { recorder, reading in
                "\(recorder.program.rawValue) \(decimal(reading[keyPath: value]))\(unit)"
            }
            let ours = readings[0][keyPath: value]
            return Figure(
                name: "HLS, one station: \(name)", ours: "\(decimal(ours))\(unit)",
                peer: peers.joined(separator: ", "), value: ours, goal: .atMost(most))
        }
        return [
            row("CPU of a core", \.load, " %", most: 0.05),
            row("dirty private memory, MiB", \.dirty, "", most: 8),
            row("requests for a segment", \.requests, "", most: 2.2),
            try listening.figure(),
        ]
    }

    // MARK: A hundred stations

    private func many(_ script: HLSScript) throws -> [Figure] {
        let names = (0..<Self.stations).map { "s\($0)" }
        let rendition = script.variants[0].rendition
        let servers = try HLSServers([("a.test", HLSScript(names.map { HLSVariant($0, rendition) }))], began: .now)
        let folder = try TemporaryFolder("aircheck-hls")
        let process = try ChildProcess(
            aircheckBinary(),
            ["record"] + names.flatMap { ["--station", "\($0)=\(servers.url(ofVariant: $0))"] }
                + ["--output", folder.path, "--name", "{station}", "--segment", "none", "--json"])
        let meter = ProcessMeter(pid: process.pid)
        pause(Self.settling)
        let (start, before) = (MonotonicInstant.now, try meter.processorTime())
        pause(seconds - Self.settling)
        guard process.isRunning else { throw SetupError("aircheck ended early:\n\(process.errorSoFar)") }
        let used = Duration.nanoseconds(try meter.processorTime() - before)
        let load = used / (MonotonicInstant.now - start) * 100
        let dirty = Double(try meter.memory().dirty) / 1_048_576
        process.terminate()
        let report = try JSONValue(parsing: process.wait(within: .seconds(60)).standardOutput, limit: 64 << 20)
        let checker = FrameChecker(rendition.programme)
        let broken = try names.count { name in
            let report = report["stations"]?.arrayValue?.first { $0["station"]?.stringValue == name }
            let frames = checker.check(try bytes(ofFile: folder.file("\(name).aac")))
            return !frames.isExact || report?["gaps"]?.arrayValue?.isEmpty == false
        }
        return [
            Figure(
                name: "HLS, \(Self.stations) stations: CPU of a core", ours: "\(decimal(load)) %", peer: "",
                value: load,
                goal: .atMost(5)),
            Figure(
                name: "HLS, \(Self.stations) stations: dirty private memory each, MiB",
                ours: decimal(dirty / Double(Self.stations)), peer: "", value: dirty / Double(Self.stations),
                goal: .atMost(8)),
            Figure(
                name: "HLS, \(Self.stations) stations: recordings with a lost frame", ours: "\(broken)", peer: "",
                value: Double(broken), goal: .atMost(0)),
        ]
    }

    private func pause(_ seconds: Int) {
        let end = Deadline(after: .seconds(seconds))
        while !end.hasPassed { poll(nil, 0, end.milliseconds) }
    }
}
