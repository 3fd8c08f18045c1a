// SPDX-License-Identifier: MIT

import Foundation
import RadioFormats
import TestSupport
import TestTools

/// A recorder in the outage benchmark, with a proxy and a folder of its own.
final class OutageRecorder {
    enum Program: String, CaseIterable {
        case aircheck = "Aircheck"
        case streamripper
        case ffmpeg = "ffmpeg, all reconnect options"
    }

    let program: Program
    let proxy: FaultyProxy
    private let folder: TemporaryFolder
    private let process: ChildProcess

    /// Starts recording a mount of a server through a proxy.
    init(_ program: Program, mount: String, through proxy: FaultyProxy) throws {
        self.program = program
        self.proxy = proxy
        folder = try TemporaryFolder("aircheck-outages")
        let url = proxy.url(mount)
        process =
            switch program {
            case .aircheck:
                try ChildProcess(
                    aircheckBinary(), ["record", url, "--segment", "none", "--json", "--output", folder.path])
            case .streamripper:
                try ChildProcess(.streamripper, [url, "-d", folder.path, "-s", "-A", "-a", "streamripper", "--quiet"])
            case .ffmpeg:
                // ffmpeg flushes each packet. Otherwise its buffered data would be lost as well if it hangs.
                try ChildProcess(
                    .ffmpeg,
                    ["-hide_banner", "-loglevel", "error", "-nostdin", "-reconnect", "1", "-reconnect_at_eof", "1"]
                        + ["-reconnect_streamed", "1", "-reconnect_on_network_error", "1"]
                        + ["-reconnect_on_http_error", "4xx,5xx", "-reconnect_delay_max", "5"]
                        + ["-i", url, "-c", "copy", "-flush_packets", "1", folder.file("ffmpeg.mp3")])
            }
    }

    /// Asks the recorder to end (SIGTERM).
    func end() {
        process.terminate()
    }

    /// The result of the recording, once the recorder has ended. Waits up to 10 s for that.
    func result(_ checker: FrameChecker) throws -> OutageResult {
        let outcome = outcome()
        let files = try audioFiles()
        var result = OutageResult(
            frames: checker.check(try files.map { try bytes(ofFile: $0) }), files: files.count, faults: proxy.faults)
        if program == .aircheck {
            guard let outcome, outcome.succeeded else {
                throw SetupError("aircheck did not end well:\n\(process.errorSoFar)")
            }
            result.report = try JSONValue(parsing: outcome.standardOutput, limit: 1 << 20)
        }
        return result
    }

    /// The outcome of the recorder; nil if it did not end and was killed.
    private func outcome() -> ChildProcess.Outcome? {
        if let outcome = try? process.wait(within: .seconds(10)) { return outcome }
        process.kill()
        return nil
    }

    /// The recorded files in the order in which they were last modified.
    private func audioFiles() throws -> [String] {
        let files = try folder.contents().filter { $0.contains(".mp3") && !$0.hasSuffix(".json") }.map {
            folder.file($0)
        }
        let dated = try files.map { file in
            (file, try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date ?? .distantPast)
        }
        return dated.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    }
}
