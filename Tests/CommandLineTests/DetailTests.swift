// SPDX-License-Identifier: MIT

import ArgumentParser
import Engine
import Instants
import RadioCore
import RadioFormats
import Relay
import Stations
import Testing
import Words

@testable import aircheck

/// Which messages are printed on standard error at which detail.
struct DetailTests {
    @Test("What needs a person is for everybody, and what Aircheck mends by itself is not for the quiet")
    func failures() {
        let dropped = Failure(.dropped, "the server closed the connection", remedy: "nothing to do")
        let secret = Failure(.unauthorized, "a password is wanted", remedy: "give one")
        #expect(said(StationNotice.failed(dropped, retryIn: .zero))?.detail == .usual)
        #expect(said(StationNotice.failed(secret, retryIn: .zero))?.detail == .needed)
        #expect(detail(UseNotice.failed(dropped)) == .usual && detail(UseNotice.failed(secret)) == .needed)
        #expect(detail(.fallback(.failed(nil))) == .usual && detail(.fallback(.failed(dropped))) == .needed)
    }

    private let now = WallInstant(nanoseconds: 0)

    private func said(_ notice: StationNotice) -> Occurrence? {
        Wording.occurrence(notice, of: .program, in: .init(now: now))
    }

    private func detail(_ notice: UseNotice) -> Detail? {
        Wording.occurrence(notice, of: .program, in: .init(now: now))?.detail
    }

    @Test("Further attempts and the answers of servers are for those who want to know more")
    func connections() {
        #expect(said(StationNotice.connecting(url: "http://a.example/", attempt: 1))?.detail == .usual)
        #expect(said(StationNotice.connecting(url: "http://a.example/", attempt: 2))?.detail == .full)
        var answer = ServerAnswer(status: 200, url: "http://b.example/live")
        (answer.isICY, answer.peer, answer.redirects, answer.server) = (true, "192.0.2.7", 2, "Icecast 2.4.4")
        #expect(said(StationNotice.answered(answer))?.detail == .full)
        #expect(
            said(StationNotice.answered(answer))?.sentence
                == "192.0.2.7 (Icecast 2.4.4) answered ICY 200 for http://b.example/live, after 2 redirects")
        var odd = ServerAnswer(status: 200, url: "http://b.example/live")
        odd.ignored = 2
        #expect(
            said(StationNotice.answered(odd))?.sentence
                == "the server answered 200 for http://b.example/live; ignored 2 senseless header lines")
        let bare = ServerAnswer(status: 404, url: "http://b.example/live")
        #expect(said(StationNotice.answered(bare))?.sentence == "the server answered 404 for http://b.example/live")
    }

    @Test("B35: What is left out of covers is said to everybody who wants to know what happens") func attachments() {
        let notice = StationNotice.attachmentsLeftOut(bytes: 1_600_000)
        #expect(said(notice)?.detail == .usual)
        #expect(said(notice)?.sentence == "covers and other attachments are left out (1.6 MB so far)")
        let ofFile = StationNotice.attachmentsLeftOut(bytes: 1_600_000, of: "a.opus")
        #expect(said(ofFile)?.sentence == "covers and other attachments of a.opus are left out (1.6 MB so far)")
    }

    @Test("The options set the detail, and contradict each other")
    func options() throws {
        let url = "http://a.example/"
        #expect(try RecordCommand.parse([url]).reporting.detail == .usual)
        #expect(try RelayCommand.parse([url, "-q"]).reporting.detail == .needed)
        #expect(try ProbeCommand.parse([url, "--verbose"]).reporting.detail == .full)
        #expect(try PlayCommand.parse([url, "-v"]).reporting.detail == .full)
        #expect(try DemoCommand.parse(["--quiet"]).reporting.detail == .needed)
        #expect(throws: (any Error).self) { try DemoCommand.parse(["-q", "-v"]) }
    }

    @Test(
        "A line keeps its indent, but nothing else that could move the cursor",
        arguments: [
            ("  /tmp/a.mp3", "  /tmp/a.mp3"), ("a  b\nc", "a b c"), ("  \u{1B}[2Ja", "  [2Ja"),
            (String(repeating: " ", count: 99) + "a", "        a"), ("", ""), ("\n  a", "a"),
        ])
    func indents(text: String, line: String) {
        #expect(ConsoleText.cleaned(text) == line)
    }

    @Test("The name of a station stands behind the indent of its lines")
    func names() {
        #expect(ConsoleText.prefixed("  /tmp/a.mp3", with: "FIP") == "  [FIP] /tmp/a.mp3")
        #expect(ConsoleText.prefixed("  /tmp/a.mp3", with: nil) == "  /tmp/a.mp3")
    }

    @Test("H21: Any JSON that holds a byte of a path says so") func rawBytesInJSON() {
        let path = JSONValue.string(PathText.text(of: [0x2F, 0xFC]))
        #expect(ConsoleText.json(["items": [["source": path]]]).contains(PathText.note))
        #expect(ConsoleText.json(["recording": ["id": path], "raw_bytes": "once"]).contains(PathText.note) == false)
        #expect(ConsoleText.json(["path": "/ü"]).contains("raw_bytes") == false)
    }
}
