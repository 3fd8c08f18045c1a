// SPDX-License-Identifier: MIT

import Glibc
import RadioFormats
import TestSupport
import TestTools
import Testing

/// Each failure is reported in one line that says what to do. The exit status and the report agree with that line.
struct FailureTests {
    /// An origin that answers every request in the same way, and the failure class of its answer.
    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [OriginScript.Step]
        let failureClass: String
        /// The text that the message must contain.
        var name = "127.0.0.1"
    }

    private static let answers: [Answer] = [
        Answer(testDescription: "404", steps: [.failure(404, "Not Found")], failureClass: "not-found"),
        Answer(
            testDescription: "401", steps: [.failure(401, "Unauthorized", ["WWW-Authenticate": "Basic realm=\"x\""])],
            failureClass: "unauthorized"),
        Answer(testDescription: "403", steps: [.failure(403, "Forbidden")], failureClass: "forbidden"),
        Answer(testDescription: "410", steps: [.failure(410, "Gone")], failureClass: "gone"),
        Answer(testDescription: "503", steps: [.failure(503, "Busy")], failureClass: "server-busy"),
        Answer(testDescription: "ICY 401", steps: [.head("ICY 401 Unauthorized")], failureClass: "unauthorized"),
        Answer(
            testDescription: "HTML",
            steps: [.text("<!DOCTYPE html><html><body>Radio</body></html>", type: "text/html")],
            failureClass: "not-audio"),
        Answer(
            testDescription: "HTML as audio",
            steps: [.text("<html><head><title>Radio</title></head></html>", type: "audio/mpeg")],
            failureClass: "not-audio"),
        Answer(
            testDescription: "JSON", steps: [.text("{\"a\": 1}", type: "application/json")], failureClass: "not-audio"),
        Answer(
            testDescription: "A18: HLS with protected segments",
            steps: [
                .text(
                    "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:6,\na.ts\n",
                    type: "audio/x-mpegurl")
            ],
            failureClass: "unsupported"),
        Answer(
            testDescription: "an empty playlist",
            steps: [.text("[playlist]\nNumberOfEntries=0\n", type: "audio/x-scpls")], failureClass: "not-audio"),
        Answer(
            testDescription: "A17: a compressed body without audio",
            steps: [.head("HTTP/1.1 200 OK", ["Content-Encoding": "gzip"]), .send([0x1f, 0x8b, 8, 0])],
            failureClass: "no-audio"),
        Answer(
            testDescription: "ICY 401 that means full", steps: [.head("ICY 401 Service Unavailable")],
            failureClass: "server-busy"),
        Answer(testDescription: "nothing at all", steps: [.stall(Gate())], failureClass: "no-audio"),
        Answer(testDescription: "a head alone", steps: [.icyHead(), .stall(Gate())], failureClass: "no-audio"),
        Answer(testDescription: "a circle", steps: [.redirect(to: "/radio")], failureClass: "redirects"),
        Answer(
            testDescription: "link-local", steps: [.redirect(to: "http://169.254.169.254/radio")],
            failureClass: "forbidden-address", name: "169.254.169.254"),
        Answer(
            testDescription: "a file", steps: [.redirect(to: "file:///etc/passwd")], failureClass: "redirects",
            name: "file:///etc/passwd"),
    ]

    @Test("A server that does not deliver is reported with its class, the reason and the remedy", arguments: answers)
    func server(_ answer: Answer) async throws {
        let origin = try ScriptedOrigin([.request] + answer.steps)
        // A failure that stays the same is not retried, so it ends the recording long before the ten minutes.
        let giveUp = answer.failureClass == "unsupported" ? "10m" : "5s"
        try await expectFailure(answer.failureClass, naming: answer.name, origin.url("/radio"), giveUp: giveUp)
    }

    @Test("A port without a listener is reported as refused")
    func refused() async throws {
        let port = try ClosedPort()
        try await expectFailure("refused", naming: "127.0.0.1", "http://127.0.0.1:\(port.number)/radio")
        withExtendedLifetime(port) {}
    }

    @Test("A host name without an address is reported as unknown")
    func unknownHost() async throws {
        try await expectFailure("unknown-host", naming: "station.invalid", "http://station.invalid/radio")
    }

    @Test("An untrusted certificate is reported as such")
    func certificate() async throws {
        let folder = try TemporaryFolder()
        let port = try Loopback.freePort()
        let made = try await ChildProcess(
            .openssl,
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=radio.test"]
                + ["-keyout", folder.file("key"), "-out", folder.file("certificate")]
        ).outcome(within: .seconds(60))
        #expect(made.succeeded, "\(made.standardError)")
        let server = try ChildProcess(
            .openssl,
            ["s_server", "-quiet", "-www", "-accept", "127.0.0.1:\(port)", "-key", folder.file("key"), "-cert"]
                + [folder.file("certificate")])
        #expect(try await waitUntil(.seconds(60)) { Loopback.answers(port: port) })
        try await expectFailure("certificate", naming: "127.0.0.1", "https://127.0.0.1:\(port)/radio")
        #expect(server.isRunning)
    }

    @Test("A misspelt option is answered with the right one, also in the report, although a value follows it")
    func misspelling() async throws {
        let outcome = try await Aircheck.run(["record", "http://127.0.0.1:1/", "--duratoin", "90m", "--json"])
        #expect(outcome.ending == .exited(64))
        #expect(outcome.standardError.hasPrefix("Error: Unknown option '--duratoin'. Did you mean '--duration'?\n"))
        #expect(outcome.standardError.contains("aircheck record --help"), "\(outcome.standardError)")
        #expect(try Report(outcome).error?.message.contains("--duration") == true)
    }

    @Test(
        "Wrong usage is reported, and no file is written",
        arguments: [
            ["record"], ["record", "http://127.0.0.1:1/", "--duration", "90"],
            ["record", "http://127.0.0.1:1/", "--segment", "0s"],
            ["record", "http://127.0.0.1:1/", "--name", "../{title}"],
            ["record", "http://127.0.0.1:1/", "--name", "../{title}", "--json"], ["record", "ftp://127.0.0.1/radio"],
            ["record", "http://127.0.0.1:1/", "--nonsense"],
            ["record", "http://127.0.0.1:1/", "--output", "-", "--json"],
            ["probe"], ["nonsense"], ["record", "http://127.0.0.1:1/", "--header", "no colon"],
        ])
    func usage(_ arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Aircheck.run(arguments, directory: folder.path)
        #expect(outcome.ending == .exited(64), "\(outcome.text) \(outcome.standardError)")
        #expect(!outcome.standardError.isEmpty)
        if arguments.contains("--json") {
            #expect(try Report(outcome).error?.class == "usage")
        } else {
            #expect(outcome.standardOutput.isEmpty)
        }
        #expect(try folder.contents() == [])
    }

    @Test(
        "Wrong usage is reported in the JSON object of the command, be it of one station or several",
        arguments: [["--station", "A=http://127.0.0.1:1/", "--station=B=ftp://x/"], ["--station", "A=ftp://x/"]])
    func usageOfStations(_ stations: [String]) async throws {
        struct Stations: Decodable {
            struct Station: Decodable {}
            let stations: [Station]?
            let files: [String]?
            let error: Report.Failure
        }
        let outcome = try await Aircheck.run(["record", "--json"] + stations)
        #expect(outcome.ending == .exited(64), "\(outcome.text) \(outcome.standardError)")
        let report = try outcome.json(Stations.self)
        let areSeveral = stations.count > 2
        #expect((report.stations != nil) == areSeveral && (report.files != nil) == !areSeveral)
        #expect(report.error.class == "usage")
    }

    @Test("A report that cannot be printed to a closed standard output is an error")
    func closedOutput() async throws {
        for command in ["probe", "record"] {
            let closed = "exec \"$0\" \"$@\" >&-"
            let arguments = [command, "http://127.0.0.1:1/", "--give-up", "1s", "--json"]
            let child = try ChildProcess("/bin/sh", ["-c", closed, try aircheckBinary()] + arguments)
            let outcome = try await child.outcome(within: .seconds(90))
            #expect(outcome.ending == .exited(74), "\(outcome.standardError)")
            #expect(outcome.standardError.contains("standard output, which is closed"), "\(outcome.standardError)")
        }
    }

    @Test("A result that cannot be written to a full disk is an error") func fullOutput() async throws {
        let folder = try TemporaryFolder()
        let config = try folder.write("config.toml", "[[station]]\nid = \"one\"\nurl = \"http://127.0.0.1:1/\"\n")
        for options in [[], ["--json"]] {
            let child = try ChildProcess(
                "/bin/sh",
                ["-c", "exec \"$0\" \"$@\" >/dev/full", try aircheckBinary(), "check", "--config", config] + options)
            let outcome = try await child.outcome(within: .seconds(30))
            #expect(outcome.ending == .exited(74), "\(outcome.standardError)")
            #expect(outcome.standardError.contains("free some space"), "\(outcome.standardError)")
        }
    }

    @Test("Without /proc, from which the arguments are read, a command fails instead of printing help")
    func noArguments() async throws {
        let script = "mount -t tmpfs none /proc && exec \"$@\""
        let child = try ChildProcess(
            "/usr/bin/unshare",
            ["--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", try aircheckBinary(), "check"])
        let outcome = try await child.outcome(within: .seconds(30))
        #expect(outcome.ending == .exited(69) && outcome.text.isEmpty, "\(outcome.standardError)")
        #expect(outcome.standardError.contains("mount /proc"), "\(outcome.standardError)")
    }

    @Test("H21: An argument that is not UTF-8 is the path with these bytes, and messages show them")
    func rawPaths() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("conf\u{10FEFF}.toml")
        let missing = try await ChildProcess(try aircheckBinary(), ["check", "--config", path]).outcome(
            within: .seconds(30))
        #expect(missing.ending == .exited(78) && missing.standardError.contains("conf\\xFF.toml"))
        let file = open(path.pathBytes, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let text = Array("[[station]]\nid = \"a\"\nurl = \"http://a.example/\"\n".utf8)
        #expect(write(file, text, text.count) == text.count && close(file) == 0)
        let found = try await ChildProcess(try aircheckBinary(), ["check", "--config", path]).outcome(
            within: .seconds(30))
        #expect(found.ending == .exited(0), "\(found.standardError)")
    }

    @Test("An output that is a file is reported, and the file stays unchanged")
    func outputIsFile() async throws {
        let folder = try TemporaryFolder()
        try folder.write("taken", "mine")
        try await expectUnwritable(folder.file("taken"))
        #expect(try folder.read("taken") == Array("mine".utf8))
    }

    @Test("An output without permission is reported")
    func noPermission() async throws {
        let folder = try TemporaryFolder()
        #expect(chmod(folder.path, 0o555) == 0)
        try await expectUnwritable(folder.file("inside"), asNobody: true)
        #expect(chmod(folder.path, 0o755) == 0)
    }

    /// Records from an address that fails, and checks everything that is reported about it.
    private func expectFailure(
        _ failureClass: String, naming name: String, _ url: String, giveUp: String = "2s",
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let folder = try TemporaryFolder()
        let outcome = try await Aircheck.run([
            "record", url, "--give-up", giveUp, "--json", "--output", folder.path,
        ])
        #expect(outcome.ending == .exited(69), "\(outcome.standardError)", sourceLocation: location)
        let report = try Report(outcome)
        let failure = try #require(report.error, sourceLocation: location)
        #expect(failure.class == failureClass, "\(failure)", sourceLocation: location)
        #expect(failure.message.contains(name) && !failure.message.contains("\n"), sourceLocation: location)
        #expect(!failure.remedy.isEmpty && !failure.remedy.contains("\n"), sourceLocation: location)
        let said = outcome.standardError.split(separator: "\n").filter { $0.contains(failure.message) }
        #expect(
            said.contains { $0.contains(failure.remedy) && $0.contains("[\(failureClass)]") },
            "\(outcome.standardError)", sourceLocation: location)
        #expect(report.files.isEmpty && report.frames == 0, sourceLocation: location)
        #expect(try folder.contents() == [], sourceLocation: location)
    }

    /// Expects that a recording into a place where nothing can be written fails.
    private func expectUnwritable(_ path: String, asNobody: Bool = false) async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20, seed: 3))
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .pace(programme.bytes, bytesPerSecond: 16_000), .stall(Gate())])
        let arguments = ["record", origin.url(), "--duration", "3s", "--json", "--output", path]
        let child: ChildProcess
        // Permissions do not restrict root, so root runs a copy of the program as another user.
        let copy = try TemporaryFolder()
        if asNobody && getuid() == 0 {
            let program = try copy.write("aircheck", try bytes(ofFile: try aircheckBinary()))
            #expect(chmod(program, 0o755) == 0)
            let identity = ["--reuid=65534", "--regid=65534", "--clear-groups"]
            child = try ChildProcess("/usr/bin/setpriv", identity + [program] + arguments)
        } else {
            child = try Aircheck.start(arguments)
        }
        let outcome = try await child.outcome(within: .seconds(60))
        #expect(outcome.ending == .exited(74), "\(outcome.standardError)")
        let failure = try #require(try Report(outcome).error)
        #expect(failure.class == "storage" && failure.message.contains(path), "\(failure)")
        #expect(!failure.remedy.isEmpty && outcome.standardError.contains(failure.remedy))
    }
}
