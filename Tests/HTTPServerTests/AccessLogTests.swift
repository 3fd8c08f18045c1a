// SPDX-License-Identifier: MIT

import Glibc
import Instants
import Platform
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import HTTPServer

/// The zone of the tests: two hours ahead of UTC.
private struct TestZone: TimeZoneRules {
    let identifier = "Test"
    func utcOffset(at instant: WallInstant) -> Int { 7200 }
}

@Suite struct AccessLogTests {
    private static let at = WallInstant(nanoseconds: 1_700_000_000_000_000_000)

    @Test("A line has the combined format")
    func combinedFormat() {
        var record = AccessRecord(client: .v4(0xC000_0207), at: Self.at, status: 200)
        #expect(record.line(in: TestZone()) == #"192.0.2.7 - - [15/Nov/2023:00:13:20 +0200] "-" 200 0 "-" "-""#)
        record.request = "GET /live HTTP/1.1"
        (record.user, record.bytes) = ("anna b", 1234)
        (record.referer, record.agent) = ("https://page.example/", "VLC/3.0")
        #expect(
            record.line(in: TestZone())
                == #"192.0.2.7 - anna%20b [15/Nov/2023:00:13:20 +0200] "GET /live HTTP/1.1" 200 1234 "#
                + #""https://page.example/" "VLC/3.0""#)
    }

    @Test("A client's text neither ends its field nor controls a terminal")
    func escapes() {
        var record = AccessRecord(client: .v4(1), at: Self.at, status: 200)
        record.agent = "a\"b\\c\u{1B}[2J\n\u{202E}d é"
        #expect(record.line(in: TestZone()).hasSuffix(#""a\x22b\x5Cc\x1B[2J\x0A\xE2\x80\xAEd é""#))
    }

    @Test("Each request is recorded once, with its user, its status and its bytes, and without its secrets")
    func records() throws {
        let site = try Site()
        var records: [AccessRecord] = []
        site.service.onAnswered = { records.append($0) }
        let basic = "Authorization: Basic YW5uYTpzw6lzYW1l\r\n"
        _ = site.get("/hello?token=1", "Referer: https://u:p@page.example/x?secret=1\r\nUser-Agent: A\r\n")
        _ = site.get("/nothing")
        _ = site.get("/secret", basic)
        _ = site.get("/secret", "Authorization: Basic YW5uYTpndWVzcw==\r\n")
        _ = site.ask("\u{1}\u{2}\r\n\r\n")
        let listener = site.listen()
        #expect(records.count == 5)
        listener.close()
        site.closeStreams()
        #expect(records.map(\.status) == [200, 404, 200, 401, 400, 200])
        #expect(records.map(\.request).prefix(2) == ["GET /hello HTTP/1.1", "GET /nothing HTTP/1.1"])
        #expect(records.map(\.request).suffix(2) == [nil, "GET /stream HTTP/1.0"])
        #expect(records.map(\.user) == [nil, nil, "anna", nil, nil, nil])
        #expect(records[0].referer == "https://page.example/x" && records[0].agent == "A")
        #expect(records.allSatisfy { $0.bytes > 30 && $0.bytes < 500 })
        // A connection that is kept alive has a record for each request.
        records = []
        let talk = Conversation(site.reactor.connect(port: site.port), site.reactor)
        let lengths = (0..<2).map { _ in talk.get("/hello")?.body.count }
        #expect(lengths == [6, 6] && records.count == 2 && records[0].bytes == records[1].bytes)
        site.close()
    }

    @Test("A client that leaves before its answer is recorded as such, and long texts are cut")
    func leavers() throws {
        let site = try Site()
        var records: [AccessRecord] = []
        site.service.onAnswered = { records.append($0) }
        let long = String(repeating: "ü", count: 1_000)
        let client = site.reactor.connect(port: site.port)
        client.send(
            "GET /silent?x HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: \(long)\r\nReferer: http://a/\(long)\r\n\r\n")
        site.reactor.pump { site.kept != nil }
        site.kept?.whenClientCloses {}
        client.close()
        site.reactor.drain()
        let record = try #require(records.first)
        #expect(record.status == nil && record.request == "GET /silent HTTP/1.1")
        #expect(record.agent?.utf8.count == 1_000 && record.referer.map { $0.utf8.count <= 1_000 } == true)
        #expect(record.line(in: TestZone()).contains("\" 499 0 \""))
    }

    @Test("A wrong password is reported with the client and the name, and a request without one is not")
    func wrongPasswords() throws {
        let site = try Site()
        var reports: [String] = []
        site.service.onNotice = { notice in
            if case .wrongPassword(let client, let user) = notice { reports.append("\(client) \(user)") }
        }
        #expect(site.get("/secret").status == 401 && reports.isEmpty)
        _ = site.get("/secret", "Authorization: Basic YW5uYTpndWVzcw==\r\n")
        _ = site.get("/secret", "Authorization: Basic YW5uYTpzw6lzYW1l\r\n")
        #expect(reports == ["127.0.0.1 anna"])
    }

    @Test("A file that has been renamed or removed is opened anew, and nothing is lost on the way")
    func rotation() throws {
        let folder = try TemporaryFolder("log")
        let path = folder.file("access.log")
        let log = try AccessLogFile(.file(path: path)) { _ in }
        log.append("one")
        wait { try folder.read("access.log").count == 4 }
        #expect(rename(path, folder.file("access.log.1")) == 0)
        log.append("two")
        wait { access(path, F_OK) == 0 }
        log.close(until: .read() + .seconds(10))
        #expect(try folder.read("access.log.1") == Array("one\n".utf8))
        #expect(try folder.read("access.log") == Array("two\n".utf8))
    }

    @Test("A file that cannot be opened is reported at the start, and again when it works")
    func failure() throws {
        let folder = try TemporaryFolder("log")
        let notices = Monitor<[AccessLogFile.Notice]>([])
        let destination = AccessLogFile.Destination.file(path: folder.file("none/access.log"))
        let log = try AccessLogFile(destination) { notice in
            notices.withLock { $0.append(notice) }
            notices.signal()
        }
        // The failure is reported before there is a line.
        #expect(notices.wait(until: .read() + .seconds(10)) { $0.isEmpty ? nil : true } == true)
        log.append("first")
        #expect(mkdir(folder.file("none"), 0o700) == 0)
        log.append("second")
        #expect(notices.wait(until: .read() + .seconds(10)) { $0.count < 2 ? nil : true } == true)
        log.close(until: .read() + .seconds(10))
        // The first line is lost if the thread took it before the folder existed.
        let text = String(decoding: try folder.read("none/access.log"), as: UTF8.self)
        let lost = text == "first\nsecond\n" ? 0 : 1
        #expect(text.hasSuffix("second\n"))
        #expect(notices.withLock { $0 } == [.failed(destination, SystemError(number: ENOENT)), .works(lost: lost)])
    }

    @Test("A pipe that nobody reads is reported, and does not block the thread", .timeLimit(.minutes(1)))
    func unreadPipe() throws {
        let folder = try TemporaryFolder("log")
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        let destination = AccessLogFile.Destination.file(path: folder.file("pipe"))
        let notices = Monitor<[AccessLogFile.Notice]>([])
        let log = try AccessLogFile(destination) { notice in notices.withLock { $0.append(notice) } }
        log.append("one")
        log.close(until: .read() + .seconds(10))
        #expect(notices.withLock { $0 } == [.failed(destination, SystemError(number: ENXIO))])
    }

    @Test("A pipe that is read slowly gets every line whole", .timeLimit(.minutes(1)))
    func slowPipe() throws {
        let folder = try TemporaryFolder("log")
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        // A reader that could also write does not see the end of the pipe before the log has opened it.
        let reader = open(folder.file("pipe"), O_RDWR)
        defer { Glibc.close(reader) }
        let notices = Monitor<[AccessLogFile.Notice]>([])
        let log = try AccessLogFile(.file(path: folder.file("pipe"))) { notice in
            notices.withLock { $0.append(notice) }
        }
        // More than a pipe holds.
        let line = String(repeating: "x", count: 999)
        for _ in 0..<200 { log.append(line) }
        var count = 0
        var piece = [UInt8](repeating: 0, count: 10_000)
        while count < 200_000 {
            var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 10_000) > 0 else { break }
            count += Glibc.read(reader, &piece, piece.count)
        }
        log.close(until: .read() + .seconds(10))
        #expect(count == 200_000 && notices.withLock { $0 }.isEmpty)
    }

    /// Polls a file until another thread has done its work on it, because nothing announces the end of that work.
    private func wait(_ isDone: () throws -> Bool) {
        let deadline = MonotonicInstant.read() + .seconds(10)
        while (try? isDone()) != true, .read() < deadline { sched_yield() }
    }
}
