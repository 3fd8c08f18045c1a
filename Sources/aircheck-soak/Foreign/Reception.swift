// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools

/// The program recording a file that a local server sends.
final class Reception {
    /// How the server sends the file.
    enum Way {
        /// As a file: the head states the length, and everything is sent at once, followed by the end.
        case file
        /// As a station: everything is sent at once, with metadata, followed by silence.
        case station
    }

    private let origin: ScriptedOrigin
    private let folder: TemporaryFolder
    private let process: ChildProcess
    private let silence = Gate()

    init(_ body: [UInt8], ending: String, _ way: Way) throws {
        let type = ["ogg", "oga", "opus", "oggflac", "spx"].contains(ending) ? "application/ogg" : "audio/mpeg"
        var arguments: [String] = []
        switch way {
        case .file:
            let head = OriginScript.Step.head(
                "HTTP/1.1 200 OK",
                ["Content-Type": type, "Content-Length": "\(body.count)", "Accept-Ranges": "bytes"])
            origin = try ScriptedOrigin([.request, head, .send(body), .close])
        case .station:
            let titles = (0..<8).map { (from: $0 * 20_000, title: "Artist - Song \($0)") }
            let sent = ICYBody(body, interval: 8192, titles: titles).bytes
            origin = try ScriptedOrigin(
                [.request, .icyHead(type: type, interval: 8192), .send(sent), .stall(silence)], [.close])
            arguments = ["--duration", "3s"]
        }
        folder = try TemporaryFolder("aircheck-soak")
        process = try ChildProcess(
            aircheckBinary(),
            ["record", origin.url("/stream.\(ending)"), "--pure", "--segment", "none", "--json", "--no-sidecar"]
                + ["--give-up", "2s", "--output", folder.path] + arguments)
    }

    /// Waits for the end, and returns the paths of the recording's files in order.
    func files() throws -> [String] {
        let outcome = try process.wait(within: .seconds(60))
        silence.open()
        origin.stop()
        // 69: nothing that could be recorded arrived.
        guard outcome.ending != .exited(69) else { return [] }
        try Harm.unless(outcome.succeeded, "the recording ended with \(outcome.ending):\n\(outcome.standardError)")
        let report = try JSONValue(parsing: outcome.standardOutput, limit: 64 << 20)
        return report["files"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
}
