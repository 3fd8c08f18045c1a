// SPDX-License-Identifier: MIT

import Instants
import RadioFormats
import TestSupport
import TestTools

/// A program that records a station from servers of its own, into a folder of its own.
final class HLSRecorder {
    enum Program: String, CaseIterable {
        case aircheck = "Aircheck"
        case ffmpeg
        case streamlink
    }

    let program: Program
    let servers: HLSServers
    private let folder: TemporaryFolder
    private let process: ChildProcess
    /// The extension of the files that the program writes.
    private let ending: String
    private let frameLength: Duration

    /// Starts the servers at `began`, and the program. Nil if the program is not installed. Aircheck heals from the
    /// list of the last server if `heals`. `live` is the station, if it has no segments.
    init?(
        _ program: Program, _ servers: [(host: String, script: HLSScript)], live: LiveScript? = nil,
        began: MonotonicInstant, heals: Bool = false
    ) throws {
        guard let path = try Self.path(of: program) else { return nil }
        self.program = program
        folder = try TemporaryFolder("aircheck-hls")
        self.servers = try HLSServers(servers, live: live, began: began)
        let programme = servers[0].script.variants[0].rendition.programme
        ending = programme.container == .adts ? "aac" : "mp3"
        frameLength = programme.frames[0].length
        var arguments = Self.arguments(program, self.servers, folder, ending)
        if heals, program == .aircheck { arguments += ["--heal", self.servers.lastURL] }
        process = try ChildProcess(path, arguments)
    }

    /// What the program has used.
    var meter: ProcessMeter { ProcessMeter(pid: process.pid) }
    var isRunning: Bool { process.isRunning }
    /// What the program has said.
    var words: String { process.errorSoFar }

    /// The bytes that the program has written so far.
    func written() throws -> [[UInt8]] {
        let files = try folder.contents().filter { $0.contains(".\(ending)") && !$0.hasSuffix(".json") }.sorted()
        return try files.map { try bytes(ofFile: folder.file($0)) }
    }

    /// The path of a program; nil if it is not installed. streamlink is in a Python environment of its own as a rule,
    /// which the variable `STREAMLINK` names.
    private static func path(of program: Program) throws -> String? {
        switch program {
        case .aircheck: return try aircheckBinary()
        case .ffmpeg: return try Tool.ffmpeg.path()
        case .streamlink: return executable("streamlink", variable: "STREAMLINK")
        }
    }

    private static func arguments(
        _ program: Program, _ servers: HLSServers, _ folder: TemporaryFolder, _ ending: String
    ) -> [String] {
        switch program {
        case .aircheck: ["record", servers.url, "--segment", "none", "--json", "--output", folder.path]
        case .ffmpeg:
            ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"] + (servers.isLive ? reconnecting : [])
                + ["-i", servers.url, "-c", "copy", "-flush_packets", "1"]
                + (ending == "mp3" ? ["-write_xing", "0", "-id3v2_version", "0"] : [])
                + [folder.file("ffmpeg.\(ending)")]
        case .streamlink:
            ["--no-config", "--loglevel", "error", "--output", folder.file("streamlink.\(ending)")]
                + ["\(servers.isLive ? "httpstream" : "hls")://\(servers.url)", "best"]
        }
    }

    /// What makes ffmpeg connect again.
    private static let reconnecting = [
        "-reconnect", "1", "-reconnect_at_eof", "1", "-reconnect_streamed", "1", "-reconnect_on_network_error", "1",
    ]

    /// Asks the recorder to end (SIGTERM).
    func end() { process.terminate() }

    /// The result, once the recorder has ended. `due` are the places of the frames that were listed for long enough.
    func result(_ checker: FrameChecker, due: [Int]) throws -> HLSResult {
        let outcome = try? process.wait(within: .seconds(20))
        if outcome == nil { process.kill() }
        let frames = checker.check(try written())
        let report = program == .aircheck ? try? JSONValue(parsing: outcome?.standardOutput ?? [], limit: 1 << 20) : nil
        return HLSResult(
            frames: frames, due: due, report: report, requests: servers.requests, words: process.errorSoFar,
            frame: frameLength)
    }
}
