// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools
import Testing

/// The daemon's log on a standard error that cannot be written, as JSON, and for the journal.
struct ServeLogTests {
    private let origin: ScriptedOrigin

    init() throws { origin = try ScriptedOrigin(LiveScript(.stream(LiveStream(Self.programme)))) }

    private static let programme = Broadcast([.music(.seconds(120))], MPEGShape(128))

    /// How the shell prepares standard error before the daemon starts.
    private static let targets = [
        "closed": "exec 2>&-", "full": "exec 2>/dev/full",
        "never read":
            "mkfifo pipe && exec 2<>pipe && dd if=/dev/zero of=pipe bs=4096 count=64 oflag=nonblock 2>/dev/null || true",
    ]

    @Test("A daemon whose standard error is unusable still records and ends properly", arguments: targets.keys.sorted())
    func recording(_ kind: String) async throws {
        let serving = try Serving(Serving.station("fip", origin.url("/fip"), "record = \"always\""))
        let script = "\(Self.targets[kind] ?? ""); exec \"$@\""
        let child = try ChildProcess(
            "/bin/sh",
            ["-c", script, "sh", try aircheckBinary(), "serve", "--config", serving.folder.file("config.toml")]
                + ["--socket", serving.socket], directory: serving.folder.path)
        #expect(try await waitUntil(.seconds(30)) { serving.files.count == 1 })
        // Each reload writes a log line, so the log is used while it cannot be written.
        for _ in 0..<5 { #expect(try await serving.ask(["reload"]).succeeded) }
        child.terminate()
        #expect(try await child.outcome(within: .seconds(20)).ending == .exited(0))
        #expect(serving.files.count == 1 && serving.files.allSatisfy { $0.hasSuffix(".mp3") }, "\(serving.files)")
        for file in serving.files {
            #expect(FrameChecker(Self.programme).check([try serving.folder.read(file)]).isExact)
        }
    }

    @Test("Each line of a JSON log is an object with a level, a time and a message")
    func json() async throws {
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

    @Test("A reload changes the format and the level of the log")
    func reloaded() async throws {
        let serving = try await Serving.started(Serving.station("fip", origin.url("/fip"), "record = \"always\""))
        #expect(try await waitUntil(.seconds(30)) { serving.files.count == 1 })
        let text = String(decoding: try serving.folder.read("config.toml"), as: UTF8.self)
        #expect(text.contains("level = \"debug\"") && serving.log.contains("debug: "))
        try serving.folder.write(
            "config.toml",
            text.replacing("level = \"debug\"", with: "level = \"notice\"\nformat = \"json\""))
        #expect(try await serving.ask(["reload"]).succeeded)
        #expect(try await waitUntil(.seconds(30)) { serving.log.contains("\n{") }, "\(serving.log)")
        #expect(try await serving.ask(["record", "fip", "--for", "1h"]).succeeded)
        let outcome = try await serving.stop()
        let after = outcome.standardError.split(separator: "\n").drop { !$0.hasPrefix("{") }
        let objects = try after.map { try JSONValue(parsing: Array($0.utf8), limit: 10_000) }
        #expect(objects.first?["message"] == "configured" && objects.last?["message"] == "stopped", "\(after)")
        #expect(objects.allSatisfy { $0["level"] != "debug" && $0["level"] != "info" }, "\(after)")
    }

    /// Shell scripts that start a program as a service. With `true`, its standard error goes to the journal. With
    /// `false`, it goes elsewhere although the variable says otherwise.
    private static let journal = [
        true: #"JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr) && export JOURNAL_STREAM && exec "$@""#,
        false: #"export JOURNAL_STREAM=1:1 && exec "$@""#,
    ]

    /// Starts `aircheck serve` with the configuration of `serving`, as a service.
    private func service(_ serving: Serving, isForJournal: Bool = true) throws -> ChildProcess {
        try ChildProcess(
            "/bin/sh",
            ["-c", Self.journal[isForJournal] ?? "", "sh", try aircheckBinary(), "serve"]
                + ["--config", serving.folder.file("config.toml"), "--socket", serving.socket],
            directory: serving.folder.path)
    }

    @Test("Each line for the journal begins with its priority, and has no time", arguments: [true, false])
    func journal(isForJournal: Bool) async throws {
        let away = try ClosedPort()
        let serving = try Serving(
            Serving.station("fip", origin.url("/fip"), "record = \"always\"")
                + Serving.station("away", "http://127.0.0.1:\(away.number)/", "record = \"always\""))
        let child = try service(serving, isForJournal: isForJournal)
        #expect(try await waitUntil(.seconds(30)) { child.errorSoFar.contains("recording to") })
        #expect(try await waitUntil(.seconds(30)) { child.errorSoFar.contains("refused the connection") })
        // A second daemon conflicts with the first one, so it logs an error.
        let second = try await service(serving, isForJournal: isForJournal).outcome(within: .seconds(30))
        child.terminate()
        let outcome = try await child.outcome(within: .seconds(20))
        #expect(outcome.ending == .exited(0))
        let lines = (outcome.standardError + second.standardError).split(separator: "\n")
        let expected = [
            (7, "debug", "connecting to"), (6, "info", "recording to"), (5, "notice", "listening on"),
            (4, "warning", "refused the connection"), (3, "error", "another 'aircheck serve'"),
        ]
        for (priority, level, words) in expected {
            let found = lines.filter { $0.contains(words) }
            #expect(!found.isEmpty, "\(words): \(lines)")
            for line in found {
                #expect(line.hasPrefix("<\(priority)>") == isForJournal, "\(line)")
                let hasTime = line.firstMatch(of: #/^(<\d>)?\d{4}-\d\d-\d\dT/#) != nil
                #expect(hasTime != isForJournal && (isForJournal || line.contains(" \(level): ")), "\(line)")
            }
        }
        let isMarked = lines.map { $0.firstMatch(of: /^<[3-7]>[^<]/) != nil }
        #expect(isMarked.allSatisfy { $0 == isForJournal }, "\(lines)")
    }

    @Test("The reasons of a failed start are errors in the journal, line by line")
    func wrongConfiguration() async throws {
        let serving = try Serving(Serving.station("fip", "gopher://x/") + Serving.station("fip", "http://x/"))
        let outcome = try await service(serving).outcome(within: .seconds(30))
        #expect(outcome.ending == .exited(78))
        let lines = outcome.standardError.split(separator: "\n")
        #expect(lines.count >= 2 && lines.allSatisfy { $0.hasPrefix("<3>") }, "\(lines)")
        #expect(lines.contains { $0.contains("config.toml:") }, "\(lines)")
    }
}
