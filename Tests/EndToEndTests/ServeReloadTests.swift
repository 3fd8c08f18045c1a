// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import TestTools
import Testing

/// What `aircheck reload` and `aircheck check` say of a configuration.
struct ServeReloadTests {
    private static let station = Serving.station("fip", "http://127.0.0.1:9/", "relay = false")

    @Test("A reload reports each problem in its own line, and each address in use")
    func reload() async throws {
        let serving = try await Serving.started(Self.station)
        let wrong = "[[station]]\nid = \"x\"\nurl = 5\n[[station]]\nid = \"y\"\nurl = 6\n"
        try serving.configure(Self.station + wrong)
        let refused = try await serving.ask(["reload"])
        let problems = refused.standardError.split(separator: "\n")
        #expect(refused.ending == .exited(78) && problems.count == 3, "\(refused)")
        for (problem, word) in zip(problems, ["station[2].url", "station[3].url", "error: "]) {
            #expect(problem.contains(word), "\(refused)")
        }

        let taken = try Loopback.listen(port: try Loopback.freePort())
        let port = try Loopback.port(of: taken)
        try serving.configure(Self.station, before: ["127.0.0.1:\(port)"])
        let partly = try await serving.ask(["reload"])
        #expect(partly.ending == .exited(75) && partly.text.contains("was read and applies"), "\(partly)")
        #expect(partly.standardError.contains("cannot listen on 127.0.0.1:\(port)"), "\(partly)")
        #expect(partly.standardError.contains("tries again"), "\(partly)")
        #expect(Loopback.answers(port: serving.port))
        Loopback.close(taken)
        #expect(
            try await waitUntil(.seconds(30)) {
                serving.log.contains("listening on 127.0.0.1:\(serving.port), 127.0.0.1:\(port)")
            }, "\(serving.log)")
        #expect(try await serving.ask(["reload"]).succeeded)
        #expect(try await serving.stop().ending == .exited(0))
    }

    @Test("H17: What is probably a mistake is a warning with its line at a check, at the start and at a reload")
    func doubts() async throws {
        let twin =
            "ca-file = \"missing.pem\"\n[[station]]\nid = \"twin\"\nname = \"FIP\"\nurl = \"http://127.0.0.1:9/\"\n"
        let serving = try Serving("[storage]\nfree-space = \"8000TB\"\n" + Self.station + twin)
        let path = serving.folder.file("config.toml")
        let check = try await Aircheck.run(["check", "--config", path])
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let doubts = try [
            ("free-space = \"8000TB\"", "free-space asks for"), ("ca-file = \"missing.pem\"", "station[1].ca-file: "),
            ("name = \"FIP\"", "station[2].name: "),
        ].map { text, words in (line: try #require(lines.firstIndex { $0 == text }) + 1, words: words) }
        for (line, words) in doubts {
            #expect(check.succeeded && check.standardError.contains("\(path):\(line): \(words)"), "\(check)")
        }
        try await serving.start()
        @Sendable func warnings() -> [Int] {
            let log = serving.log.split(separator: "\n")
            return doubts.map { line, words in log.count { $0.contains("line \(line)") && $0.contains(words) } }
        }
        #expect(try await waitUntil(.seconds(30)) { warnings() == [1, 1, 1] }, "\(serving.log)")
        #expect(try await serving.ask(["reload"]).succeeded)
        #expect(try await waitUntil(.seconds(30)) { warnings() == [2, 2, 2] }, "\(serving.log)")
        #expect(try await serving.stop().ending == .exited(0))
    }
}
