// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools
import Testing

/// Connections that break, point elsewhere, or end.
struct ConnectionTests {
    private let programme: ReferenceProgramme

    init() async throws { programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 20, seed: 3)) }

    @Test(
        "A connection that breaks within a frame is resumed, with a dated gap and no partial frame",
        arguments: [
            OriginScript.Step.reset, .close,
        ])
    func reconnect(_ ending: OriginScript.Step) async throws {
        let checker = try programme.checker()
        let firstPart = Array(programme.bytes[..<(checker.frames[199].endIndex + 100)])
        let secondPart = Array(programme.bytes[(checker.frames[260].startIndex - 150)...])
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .pace(firstPart, bytesPerSecond: 40_000), ending],
            [.request, .icyHead(), .pace(secondPart, bytesPerSecond: 40_000), .stall(Gate())])
        let folder = try TemporaryFolder()
        let report = try await Report(of: folder, origin.url(), "--segment", "none", "--duration", "12s")
        // The silence at the end of the recording is a gap as well, from 7.4 s to 12 s. It causes a new connection,
        // which sends the second part again, so nothing new.
        #expect(report.reconnects == 2 && report.gaps.count == 2 && report.files.count == 1, "\(report)")
        let last = try #require(report.gaps.last)
        #expect(last.position == report.frames, "\(report.gaps)")
        #expect(last.seconds.map { $0 > 3 && $0 < 6 } == true, "\(report.gaps)")
        #expect(report.gaps.first?.position == 200)
        // The second part comes faster than real time, so its age by the clock is wrong, and the length of the gap is
        // unknown.
        #expect(report.gaps.first.map { $0.seconds == nil } == true, "\(report.gaps)")
        let found = checker.check(try bytes(ofFile: report.files[0]))
        #expect(found.lost == Array(200..<260) && found.foreign == 0 && found.junkBytes == 0, "\(found)")
        #expect(found.first == 0 && found.disorders == 0 && found.duplicated.isEmpty)
        #expect(try await onThread { try MediaProbe.mpg123Warnings(report.files[0]) } == "")
    }

    @Test("Audio from before the end is waited for if the station is down at that time")
    func endWhileAway() async throws {
        let checker = try programme.checker()
        // The station is down from 2.4 s on. After a slow head it sends all audio since 1.0 s at once.
        let slowHead = Array("ICY 200 OK\r\nicy-name: Scripted\r\nContent-Type: audio/mpeg\r\n\r\n".utf8)
        let origin = try ScriptedOrigin(
            [
                .request, .icyHead(), .pace(Array(programme.bytes[..<38_400]), bytesPerSecond: 16_000), .reset,
            ],
            [
                .request, .pace(slowHead, bytesPerSecond: slowHead.count / 2),
                .send(Array(programme.bytes[16_000..<70_000])),
                .pace(Array(programme.bytes[70_000...]), bytesPerSecond: 16_000), .stall(Gate()),
            ])
        let folder = try TemporaryFolder()
        let report = try await Report(of: folder, origin.url(), "--segment", "none", "--duration", "3s")
        #expect(report.files.count == 1 && report.reconnects == 1, "\(report)")
        let found = checker.check(try bytes(ofFile: report.files[0]))
        #expect(found.first == 0 && found.lost.isEmpty && found.foreign == 0 && found.junkBytes == 0, "\(found)")
        // Three seconds are 115 frames, and the burst brings some more.
        #expect(found.last.map { (114..<240).contains($0) } == true, "\(found)")
    }

    @Test("A station that is down at the end is waited for ten seconds, and the rest is a final gap")
    func endWithoutReturn() async throws {
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .pace(Array(programme.bytes[..<8_000]), bytesPerSecond: 16_000), .reset],
            [.request, .stall(Gate())])
        let folder = try TemporaryFolder()
        let begin = MonotonicInstant.now
        let outcome = try await Aircheck.run([
            "record", origin.url(), "--segment", "none", "--duration", "1s", "--json", "--output", folder.path,
        ])
        let elapsed = outcome.endedAt - begin
        #expect(elapsed >= .seconds(11) && elapsed < .seconds(16))
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        let report = try Report(outcome)
        #expect(report.gaps.map(\.position) == [report.frames], "\(report)")
    }

    @Test("The attempts during a gap are in the report and in the sidecar, with their classes")
    func tried() async throws {
        let frames = try programme.checker().frames
        let origin = try ScriptedOrigin(
            [.request, .icyHead(), .pace(Array(programme.bytes[..<frames[199].endIndex]), bytesPerSecond: 60_000)],
            [.request, .failure(404, "Not Found")], [.request, .failure(503, "Busy")],
            [
                .request, .icyHead(),
                .pace(Array(programme.bytes[frames[260].startIndex...]), bytesPerSecond: 30_000), .stall(Gate()),
            ])
        let folder = try TemporaryFolder()
        let outcome = try await Aircheck.run([
            "record", origin.url(), "--segment", "none", "--duration", "8s", "--json", "--output", folder.path,
        ])
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        let report = try Report(outcome)
        let gap = try #require(report.gaps.first, "\(outcome.standardError)")
        #expect(gap.class == "dropped" && gap.remedy?.isEmpty == false, "\(gap)")
        #expect(gap.tried.map { String($0.prefix { $0 != ":" }) } == ["not-found", "server-busy"])
        #expect(try SidecarDocument(ofAudio: try #require(report.files.first)).gaps.first == gap)
        for name in ["[dropped]", "[not-found]", "[server-busy]"] {
            #expect(outcome.standardError.contains(name), "\(outcome.standardError)")
        }
    }

    @Test(
        "Playlists and redirects are followed, and a mirror replaces an address that fails",
        arguments: [["/list.pls"], ["/list.m3u"], ["/list.xspf"], ["/list.asx"], ["/missing", "/radio"]])
    func indirections(addresses: [String]) async throws {
        let origin = try ScriptedOrigin { port in
            OriginScript([
                .request,
                .byPath([
                    "/list.pls": [
                        .text(
                            "[playlist]\nFile1=http://127.0.0.1:\(port)/moved\nNumberOfEntries=1\n",
                            type: "audio/x-scpls")
                    ],
                    "/list.m3u": [.text("#EXTM3U\n/radio\n", type: "audio/mpeg")],
                    "/list.xspf": [
                        .text(
                            "<playlist><track><location>radio</location></track></playlist>",
                            type: "application/xspf+xml")
                    ],
                    "/list.asx": [.text("<ASX><Entry><Ref href=/radio></Entry></ASX>", type: "video/x-ms-asf")],
                    "/moved": [.redirect(to: "/radio")],
                    "/radio": [.icyHead(), .send(programme.bytes), .stall(Gate())],
                ]),
            ])
        }
        let folder = try TemporaryFolder()
        let outcome = try await Aircheck.run(
            ["record"] + addresses.map { origin.url($0) } + ["--duration", "1s", "--json", "--output", folder.path])
        #expect(outcome.ending == .exited(0), "\(addresses) \(outcome.standardError)")
        let report = try Report(outcome)
        let found = try programme.checker().check(try report.files.map { try bytes(ofFile: $0) })
        #expect(found.isExact && found.first == 0, "\(addresses) \(found)")
    }

    @Test("A file on a server is recorded whole, in segments of its own time, and its end is success")
    func finiteFile() async throws {
        let checker = try programme.checker()
        let origin = try ScriptedOrigin([.request, .fileHead(programme.bytes.count), .send(programme.bytes)])
        let folder = try TemporaryFolder()
        let report = try await Report(of: folder, origin.url("/show.mp3"), "--segment", "5s", "--pure")
        #expect(report.files.count == 5 || report.files.count == 4, "\(report.files)")
        #expect(try report.files.flatMap { try bytes(ofFile: $0) } == programme.bytes)
        #expect(report.frames == checker.frames.count && report.gaps.isEmpty && origin.acceptCount == 1)
        for segment in report.segments.dropLast() { #expect(abs(segment.seconds - 5) < 0.03) }
    }

    @Test("The user's options are in the request, and credentials are neither printed nor written")
    func request() async throws {
        let origin = try ScriptedOrigin([.request, .icyHead(), .send(programme.bytes), .stall(Gate())])
        let folder = try TemporaryFolder()
        let address = "http://user:s3cret@127.0.0.1:\(origin.port)/radio?token=hidden"
        let outcome = try await Aircheck.run([
            "record", address, "--user-agent", "Tester/1", "--header", "X-One: two", "--duration", "1s", "--segment",
            "none", "--json",
            "--no-sidecar", "--output", folder.path,
        ])
        let request = try #require(origin.requests.first)
        #expect(request.header("User-Agent") == "Tester/1" && request.header("X-One") == "two")
        #expect(
            request.target == "/radio?token=hidden" && request.head.hasPrefix("GET /radio?token=hidden HTTP/1.1\r\n"))
        #expect(request.header("Accept-Encoding") == nil && request.header("Authorization") != nil)
        let said = outcome.standardError + outcome.text + (try folder.contents().joined())
        #expect(!said.contains("s3cret") && !said.contains("hidden"), "\(said)")
        #expect(try folder.contents().count == 1)
    }
}
