// SPDX-License-Identifier: MIT

import TestSupport
import TestTools
import Testing

/// What `aircheck reload` and `aircheck check` say of a configuration.
struct ServeReloadTests {
    private static let station = Serving.station("fip", "http://127.0.0.1:9/", "relay = false")

    @Test("A reload reports each problem in its own line, and each address in use")
    func reload() async throws {
        let serving = try Serving(Self.station)
        try await serving.start()
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

    @Test("A free-space larger than the disk is a warning at a check, at the start and at a reload")
    func freeSpace() async throws {
        let tooMuch = "[storage]\nfree-space = \"8000TB\"\n" + Self.station
        let serving = try Serving(tooMuch)
        let check = try await Aircheck.run(["check", "--config", serving.folder.file("config.toml")])
        #expect(check.succeeded && check.standardError.contains("free-space asks for"), "\(check)")
        try await serving.start()
        @Sendable func warnings() -> Int {
            serving.log.split(separator: "\n").count { $0.contains("free-space asks for") }
        }
        #expect(try await waitUntil(.seconds(30)) { warnings() == 1 }, "\(serving.log)")
        #expect(try await serving.ask(["reload"]).succeeded)
        #expect(try await waitUntil(.seconds(30)) { warnings() == 2 }, "\(serving.log)")
        #expect(try await serving.stop().ending == .exited(0))
    }
}
