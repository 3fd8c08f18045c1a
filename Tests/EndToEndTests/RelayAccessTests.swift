// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

/// Who may listen.
struct RelayAccessTests {
    @Test("F29: The name under which a page was refused is said once, with the option that accepts it")
    func unknownName() async throws {
        let studio = try await Studio()
        let relay = try await Relaying([studio.origin.url("/studio")])
        for _ in 0..<2 {
            let answer = try await relay.curl("/status.json", "--header", "Host: radio.example:8000")
            #expect(answer.status == 421 && answer.text.contains("add that name with --host-name"), "\(answer.text)")
        }
        let outcome = try await relay.stop()
        #expect(outcome.standardError.ranges(of: "--host-name radio.example").count == 1, "\(outcome.standardError)")
    }

    @Test("Password hashes made by the program let in the right passwords and nobody else")
    func passwords() async throws {
        let folder = try TemporaryFolder()
        let users = try folder.write("users", try await line(for: "anna", "s3cret") + line(for: "ben", "ümläut"))
        let (studio, relay) = try await Studio.relayed(["--users", users], isOpen: false)
        try await relay.waitForFormat()
        let url = relay.url()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for options in [[], ["--user", "anna:wrong"], ["--user", "nobody:s3cret"], ["--user", "anna:"]] {
                group.addTask {
                    let answer = try await Relaying.Answer(url, options)
                    #expect(answer.status == 401, "\(options)")
                    #expect(answer.fields["www-authenticate"]?.hasPrefix("Basic ") == true, "\(answer.fields)")
                }
            }
            for user in ["anna:s3cret", "ben:ümläut"] {
                group.addTask {
                    let answer = try await Relaying.Answer(url, ["--user", user], seconds: 3)
                    #expect(answer.status == 200)
                    studio.expectStretch(answer.body, seconds: 4)
                }
            }
            group.addTask {
                let wrong = try await ChildProcess(
                    .ffmpeg, ["-v", "error", "-nostdin", "-i", relay.url(credentials: "anna:wrong"), "-f", "null", "-"]
                ).outcome(within: .seconds(60))
                #expect(!wrong.succeeded && wrong.standardError.contains("401"), "\(wrong.standardError)")
                let right = try await ChildProcess(
                    .ffmpeg,
                    ["-v", "error", "-nostdin", "-i", relay.url(credentials: "anna:s3cret"), "-t", "3", "-f", "null"]
                        + ["-"]
                ).outcome(within: .seconds(60))
                #expect(right.succeeded && right.standardError.isEmpty, "\(right.standardError)")
            }
            group.addTask {
                let player = try ChildProcess(
                    .mpg123, ["-q", "-n", "80", "-w", folder.file("a.wav"), relay.url(credentials: "anna:s3cret")])
                let outcome = try await player.outcome(within: .seconds(60))
                #expect(outcome.succeeded, "\(outcome.standardError)")
                #expect(try folder.read("a.wav").count > 2 * 4 * 44_100)
            }
            try await group.waitForAll()
        }
        // A playlist has the same protection as its stream.
        #expect(try await relay.curl("/live.m3u").status == 401)
        // Everybody may see how many clients listen. A client that connects by TCP may not see who listens.
        let answer = try await relay.curl("/status.json")
        #expect(answer.status == 200 && !answer.text.contains("listener_list"))
    }

    @Test("A denied client gets 403, and so does a client outside the allowed networks")
    func networks() async throws {
        try await atOnce([
            (["--deny", "127.0.0.1"], 403), (["--allow", "192.168.0.0/16"], 403),
            (["--allow", "127.0.0.0/8", "--deny", "127.0.0.0/30"], 403),
            (["--allow", "127.0.0.0/8"], 200), (["--deny", "192.168.0.0/16"], 200),
        ]) { (options, status) in
            let (_, relay) = try await Studio.relayed(options, isOpen: status == 200)
            let answer = try await relay.curl(seconds: 1)
            #expect(answer.status == status, "\(options): \(answer.statusLine)")
            #expect((answer.fields["content-type"] == "audio/mpeg") == (status == 200))
            #expect(try await relay.curl("/status.json").status == status)
        }
    }

    @Test("A trusted proxy names its client, and no other sender does")
    func proxies() async throws {
        let (_, relay) = try await Studio.relayed(["--deny", "192.0.2.7", "--trusted-proxy", "127.0.0.1"])
        let header = "X-Forwarded-For: 192.0.2.7"
        #expect(try await relay.curl("/live", "--header", header, seconds: 1).status == 403)
        #expect(try await relay.curl(seconds: 1).status == 200)
        let (_, open) = try await Studio.relayed(["--deny", "192.0.2.7"])
        #expect(try await open.curl("/live", "--header", header, seconds: 1).status == 200)
    }

    @Test("An unusable file of users is wrong usage, and the message names it")
    func usersFile() async throws {
        let folder = try TemporaryFolder()
        let files = [
            try folder.write("empty", ""), folder.file("missing"), try folder.write("plain", "anna:secret\n"),
        ]
        for file in files {
            let outcome = try await Aircheck.run(["relay", "http://127.0.0.1:1/x", "--users", file])
            #expect(outcome.ending == .exited(64), "\(file): \(outcome.standardError)")
            #expect(outcome.standardError.contains(file), "\(outcome.standardError)")
        }
    }

    private func line(for name: String, _ password: String) async throws -> String {
        let outcome = try await ChildProcess(
            "/bin/sh", ["-c", "printf '%s\\n' \"$2\" | \"$0\" password \"$1\"", try aircheckBinary(), name, password]
        ).outcome(within: .seconds(30))
        #expect(outcome.succeeded && outcome.text.hasPrefix("\(name):$"), "\(outcome.text)\(outcome.standardError)")
        #expect(!outcome.text.contains(password))
        return outcome.text
    }
}
