// SPDX-License-Identifier: MIT

import Instants
import TestTools
import Testing

/// What browsers, old players and administrators meet first.
struct FrontDoorTests {
    @Test("The page, the playlists and SHOUTcast's addresses lead to the stream, by IPv4 and IPv6")
    func addresses() async throws {
        let (studio, relay) = try await Studio.relayed(["--listen", ":0"])
        let page = try await relay.curl("/")
        #expect(page.status == 200 && page.fields["content-type"] == "text/html; charset=utf-8")
        #expect(page.fields["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(page.text.contains("<audio") && page.text.contains("src=\"./live\""), "\(page.text)")
        for file in ["/-/page.js", "/-/page.css"] { #expect(try await relay.curl(file).status == 200) }
        #expect(try await relay.curl("/listen.xspf").text.contains("<location>\(relay.url())</location>"))
        #expect(try await relay.curl("/listen.pls").text.contains("File1=\(relay.url())"))
        for path in ["/;", "/;stream.mp3", "/stream", "/live/", "/live?ref=http%3A%2F%2Fx&q=100%"] {
            let answer = try await relay.curl(path, seconds: 1)
            #expect(answer.status == 200 && answer.fields["content-type"] == "audio/mpeg", "\(path)")
        }
        let six = try await Relaying.Answer("http://[::1]:\(relay.port)/live", [], seconds: 1)
        #expect(six.status == 200)
        withExtendedLifetime(studio) {}
    }

    @Test("Requests are logged without secrets, a wrong password is reported, and a changed users file is read again")
    func access() async throws {
        let folder = try TemporaryFolder()
        let line = try await password(of: "anna")
        let users = try folder.write("users", line)
        let log = folder.file("access.log")
        let (studio, relay) = try await Studio.relayed(["--users", users, "--access-log", log], isOpen: false)
        try await relay.waitForFormat()
        #expect(try await relay.curl("/live?token=1", "--user", "anna:s3cret", seconds: 1).status == 200)
        #expect(try await relay.curl("/live", "--user", "anna:wrong").status == 401)
        #expect(try await relay.curl("/live", "--user", "bert:s3cret").status == 401)
        let isLogged = try await waitUntil(.seconds(20)) {
            let text = String(decoding: (try? folder.read("access.log")) ?? [], as: UTF8.self)
            return text.contains("127.0.0.1 - anna [") && text.contains("\"GET /live HTTP/1.1\" 401 ")
        }
        let text = String(decoding: try folder.read("access.log"), as: UTF8.self)
        #expect(isLogged && !text.contains("token") && !text.contains("s3cret"), "\(text)")
        #expect(relay.process.errorSoFar.contains("wrong password from 127.0.0.1 for the user \"anna\""))
        try folder.write("users", line.replacing("anna:", with: "bert:"))
        let url = relay.url("/live.m3u")
        let deadline = MonotonicInstant.now + .seconds(30)
        // Uses the right password until the new file has been read: wrong ones would lock the address out.
        var status = 200
        while status == 200, .now < deadline {
            status = try await Relaying.Answer(url, ["--user", "anna:s3cret"]).status
        }
        #expect(status == 401)
        #expect(try await Relaying.Answer(url, ["--user", "bert:s3cret"]).status == 200)
        withExtendedLifetime(studio) {}
    }

    private func password(of name: String) async throws -> String {
        let outcome = try await ChildProcess(
            "/bin/sh", ["-c", "echo s3cret | \"$0\" password \"$1\"", try aircheckBinary(), name]
        ).outcome(within: .seconds(30))
        return outcome.text
    }
}
