// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import Testing

/// The daemon when nobody takes its log.
struct ServeLogTests {
    private static let programme = Broadcast([.music(.seconds(120))], MPEGShape(128))

    /// What becomes of standard error before the daemon starts.
    private static let targets = [
        "closed": "exec 2>&-", "full": "exec 2>/dev/full",
        "never read":
            "mkfifo pipe && exec 2<>pipe && dd if=/dev/zero of=pipe bs=4096 count=64 oflag=nonblock 2>/dev/null || true",
    ]

    @Test("It records and ends properly all the same", arguments: targets.keys.sorted())
    func recording(_ kind: String) async throws {
        let origin = try LiveOrigin(LiveScript(.stream(LiveStream(Self.programme))))
        let serving = try Serving(Serving.station("fip", origin.url("/fip"), "record = \"always\""))
        let script = "\(Self.targets[kind] ?? ""); exec \"$@\""
        let child = try ChildProcess(
            "/bin/sh",
            ["-c", script, "sh", try aircheckBinary(), "serve", "--config", serving.folder.file("config.toml")]
                + ["--socket", serving.socket], directory: serving.folder.path)
        #expect(try await waitUntil(.seconds(30)) { serving.files.count == 1 })
        // Each reload is logged.
        for _ in 0..<5 { #expect(try await serving.ask(["reload"]).succeeded) }
        child.terminate()
        #expect(try await child.outcome(within: .seconds(20)).ending == .exited(0))
        #expect(serving.files.count == 1 && serving.files.allSatisfy { $0.hasSuffix(".mp3") }, "\(serving.files)")
        for file in serving.files {
            #expect(FrameChecker(Self.programme).check([try serving.folder.read(file)]).isExact)
        }
    }

    @Test("As JSON, each line is an object with a level, a time and a message")
    func json() async throws {
        let origin = try LiveOrigin(LiveScript(.stream(LiveStream(Self.programme))))
        let serving = try Serving(Serving.station("fip", origin.url("/fip"), "record = \"always\""))
        let text = String(decoding: try serving.folder.read("config.toml"), as: UTF8.self)
        try serving.folder.write("config.toml", text.replacing("[log]", with: "[log]\nformat = \"json\""))
        try await serving.start()
        #expect(try await waitUntil(.seconds(30)) { serving.files.count == 1 })
        let outcome = try await serving.stop()
        let lines = outcome.standardError.split(separator: "\n")
        #expect(lines.count > 4)
        for line in lines {
            let object = try JSONValue(parsing: Array(line.utf8), limit: 10_000)
            #expect(object["level"]?.stringValue != nil && object["message"]?.stringValue != nil, "\(line)")
            #expect(object["time"]?.stringValue?.contains("T") == true, "\(line)")
        }
    }
}
