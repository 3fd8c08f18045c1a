// SPDX-License-Identifier: MIT

import Engine
import Instants
import Playback
import RadioCore
import TestSupport
import TestTools
import Testing

@testable import Queue

/// Files of the web in a queue, from imperfect servers.
@Suite(.timeLimit(.minutes(2)))
struct QueueWebTests {
    private let rig: QueueUseRig

    init() throws { rig = try QueueUseRig() }

    @Test(
        "A file behind a playlist of one entry or behind a redirect can be sought",
        arguments: ["list.m3u", "moved.mp3"])
    func seekBehindRedirect(name: String) async throws {
        try await rig.make("long.mp3", seconds: 60)
        try rig.folder.write("list.m3u", "#EXTM3U\nlong.mp3\n")
        let server = try NginxServer(
            serving: rig.folder.path,
            options: "limit_rate 200k; limit_rate_after 300k; location /moved.mp3 { return 302 /long.mp3; }")
        let (outcome, notices) = try await seek(["http://127.0.0.1:\(server.port)/\(name)"], to: 59, rig)
        #expect(outcome.failure == nil && !notices.contains(.cannotSeek))
        let heard = outcome.player.heard.inSeconds
        #expect(heard > 0.7 && heard < 6, "\(heard)")
    }

    @Test("An M4A file can be sought, wherever its movie box is", arguments: ["long.m4a", "long.m4b"])
    func seekInMovie(name: String) async throws {
        try await rig.make(name, seconds: 60, title: "Tone")
        let server = try NginxServer(serving: rig.folder.path, options: "limit_rate 200k; limit_rate_after 300k;")
        let (outcome, notices) = try await seek(["http://127.0.0.1:\(server.port)/\(name)"], to: 58, rig)
        #expect(outcome.failure == nil && !notices.contains(.cannotSeek))
        let heard = outcome.player.heard.inSeconds
        #expect(heard > 1.7 && heard < 6, "\(heard)")
        #expect(outcome.player.length == .seconds(60))
    }

    @Test("An M4A file whose movie box is behind its audio is named if its server sends no parts")
    func movieWithoutParts() async throws {
        try await rig.make("a.m4a", seconds: 20)
        let server = try NginxServer(serving: rig.folder.path, options: "max_ranges 0;")
        let outcome = try await rig.play(["http://127.0.0.1:\(server.port)/a.m4a"])
        let message = outcome.failure?.message ?? rig.failures.first?.message
        #expect(message?.contains("MP4 whose index stands behind its audio") == true, "\(outcome)")
    }

    @Test("A file is requested from its start only once, and its length is known", arguments: [true, false])
    func requestedOnce(sendsParts: Bool) async throws {
        try await rig.make("short.mp3", seconds: 12)
        let bytes = try bytes(ofFile: rig.folder.file("short.mp3"))
        let origin = try ScriptedOrigin([
            .request,
            .head(
                "HTTP/1.1 200 OK",
                [
                    "Content-Type": "audio/mpeg", "Accept-Ranges": sendsParts ? "bytes" : "none",
                    "Content-Length": "\(bytes.count)",
                ]), .send(bytes),
        ])
        var length: Duration?
        let outcome = try await rig.play([origin.url("/short.mp3")]) { rig, notice in
            if case .began = notice { rig.endSoon(after: .milliseconds(500)) }
        }
        length = outcome.player.length
        #expect(origin.requests.count { $0.header("Range") == nil } == 1, "\(origin.requests)")
        #expect(abs((length ?? .zero).inSeconds - 12) < 0.2)
    }

    @Test("An address that is valid for a short time only is requested anew") func shortLivedAddress() async throws {
        try await rig.make("long.mp3", seconds: 60)
        let bytes = try bytes(ofFile: rig.folder.file("long.mp3"))
        let origin = try ScriptedOrigin(scriptForPort: { _ in Self.ticketed(bytes) })
        let (outcome, notices) = try await seek([origin.url("/long.mp3")], to: 59, rig)
        #expect(outcome.failure == nil && !notices.contains(.cannotSeek))
        #expect(outcome.player.heard.inSeconds < 6)
    }

    /// A server that redirects the first request to an address that works only once. The connection to that address
    /// gets most of the file, and then stalls.
    private static func ticketed(_ bytes: [UInt8]) -> OriginScript {
        func whole(_ steps: OriginScript.Step...) -> [OriginScript.Step] {
            [.fileHead(bytes.count)] + steps
        }
        let first: [OriginScript.Step] = [.request, .redirect(to: "/ticket-1")]
        let second: [OriginScript.Step] = [
            .request, .byPath(["/ticket-1": whole(.send(Array(bytes.prefix(200_000))), .stall(Gate()))]),
        ]
        // The server answers a request for a part with the whole file. So the audio at a later place arrives after
        // everything before it.
        let later: [OriginScript.Step] = [.request, .byPath(["/long.mp3": whole(.send(bytes))])]
        return OriginScript(connections: [first, second, later])
    }

    @Test(
        "A seek at a server without parts waits for a later place and requests an earlier one again",
        arguments: [57.0, 3.0])
    func noParts(place: Double) async throws {
        try await rig.make("long.mp3", seconds: 60)
        let server = try NginxServer(
            serving: rig.folder.path, options: "max_ranges 0; limit_rate 150k; limit_rate_after 100k;")
        let (outcome, notices) = try await seek(
            ["http://127.0.0.1:\(server.port)/long.mp3"], to: place, rig, isEndedSoon: place < 10)
        #expect(outcome.failure == nil && !notices.contains(.cannotSeek))
        let heard = outcome.player.heard.inSeconds
        #expect(heard > (place < 10 ? 0.2 : 2) && heard < 6, "\(heard)")
        let position = try #require(outcome.player.position?.inSeconds)
        #expect(place < 10 ? (2.9..<6).contains(position) : position > 59.5, "\(position)")
    }

    @Test("A seek to half of a file that has not arrived is heard from exactly that place")
    func exactSeek() async throws {
        let programme = try await ReferenceProgramme.make(.init(.mp3(128), seconds: 60, usesReservoir: false))
        try rig.folder.write("60.mp3", programme.bytes)
        let decoded = try await onThread { [rig] in
            let child = try ChildProcess(
                .ffmpeg,
                ["-v", "error", "-i", rig.folder.file("60.mp3"), "-f", "f32le", "-ac", "1", "-af", "pan=mono|c0=c0"]
                    + ["-ar", "44100", rig.folder.file("reference")])
            guard try child.wait(within: .seconds(60)).succeeded else { throw SetupError("ffmpeg") }
            return try bytes(ofFile: rig.folder.file("reference"))
                .withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
        let server = try await onThread { [rig] in
            try NginxServer(serving: rig.folder.path, options: "limit_rate 40k; limit_rate_after 1k;")
        }
        let monitor = try await onThread { [rig] in try rig.monitor() }
        let (outcome, _) = try await seek(
            ["http://127.0.0.1:\(server.port)/60.mp3"], to: 30, rig, isEndedSoon: true, after: .seconds(4))
        #expect(outcome.failure == nil)
        // Compare the last second of sound before the fade.
        let heard = monitor.channel(0)
        let end = try #require(heard.lastIndex { abs($0) > 0.001 }) - 4_410
        let last = Array(heard[(end - 44_100)..<end])
        let place = try await onThread { SignalComparison(played: last, heard: decoded, length: 44_100) }
        let section = try #require(place.sections.first)
        #expect(section.ratio >= 60, "\(section)")
        // Playing began at 30 s, and lasted for some seconds.
        #expect((30.5...35).contains(Double(section.offset) / 44_100), "\(section)")
    }

    @Test(
        "The encoder's padding around the music is not heard, even in the first file",
        arguments: ["short.mp3", "short.m4a", "short.m4b"])
    func gapless(name: String) async throws {
        try await rig.make(name, seconds: 0.5)
        let server = try NginxServer(serving: rig.folder.path)
        var heard: [Double] = []
        for source in [rig.folder.file(name), "http://127.0.0.1:\(server.port)/\(name)"] {
            let outcome = try await rig.play([source])
            heard.append(try #require(outcome.items?.first?.heard.inSeconds))
        }
        // Audio that is cut off at the end counts as heard, because whole frames are counted.
        #expect(abs(heard[0] - heard[1]) < 0.001 && heard[0] < 0.54, "\(heard)")
    }

    @Test("A file whose server stays unavailable is given up, and the next one is played")
    func unavailableServer() async throws {
        try await rig.make("long.mp3", seconds: 20)
        try await rig.make("next.mp3", seconds: 0.4)
        let bytes = try bytes(ofFile: rig.folder.file("long.mp3"))
        let half: [OriginScript.Step] = [.request, .fileHead(bytes.count), .send(Array(bytes.prefix(16_000)))]
        let away: [OriginScript.Step] = [.request, .failure(503, "Busy")]
        let origin = try ScriptedOrigin(half, away)
        let one = try await rig.play([origin.url("/long.mp3")], giveUp: .seconds(1))
        #expect(one.failure?.failureClass == .serverBusy)
        #expect(one.items?.map { if case .failed = $0.end { true } else { false } } == [true])
        #expect((one.items?.first?.heard.inSeconds ?? 0) > 0.5, "\(one)")
        let again = try ScriptedOrigin(half, away)
        try rig.folder.write("list.m3u", "#EXTM3U\n\(again.url("/long.mp3"))\nnext.mp3\n")
        let two = try await rig.play([rig.folder.file("list.m3u")], giveUp: .seconds(1))
        #expect(two.failure == nil && two.items?.last?.end == .playedToItsEnd, "\(two)")
    }

    @Test(
        "G14: A file that is not there is requested once, and a station that is off the air more often",
        arguments: [("/song.mp3", "nginx", 1...1), ("/live", "nginx", 2...9), ("/live.mp3", "Icecast 2.4.4", 2...9)])
    func missing(path: String, server: String, requests: ClosedRange<Int>) async throws {
        let head = OriginScript.Step.head("HTTP/1.1 404 Not Found", ["Server": server, "Content-Length": "0"])
        let origin = try ScriptedOrigin([.request, head])
        let outcome = try await rig.play([origin.url(path)], giveUp: .seconds(1))
        #expect(outcome.failure?.failureClass == .notFound)
        #expect(requests.contains(origin.requests.count), "\(origin.requests.count)")
    }

    // MARK: - The place at which an episode was left

    @Test("An episode that has become shorter than the place where it was left begins at its start, and that is said")
    func shorterEpisode() async throws {
        let (starts, lost) = try await hearTwice(serverOptions: "", secondLength: 30)
        #expect(starts == [.zero, .zero])
        #expect(lost.count == 1 && abs((lost.first?.inSeconds ?? 0) - 40) < 2, "\(lost)")
    }

    @Test("An episode that still has the place where it was left continues there, however little is left of it")
    func shortenedEpisode() async throws {
        let (starts, lost) = try await hearTwice(serverOptions: "", secondLength: 60)
        #expect(starts.count == 2 && abs((starts.last?.inSeconds ?? 0) - 40) < 2 && lost.isEmpty, "\(starts)")
    }

    @Test("If a server refuses parts, the audio before the place where an episode was left is read past")
    func refusedParts() async throws {
        let (starts, lost) = try await hearTwice(
            serverOptions: "if ($http_range) { return 403; }", secondLength: 90)
        #expect(starts.count == 2 && abs((starts.last?.inSeconds ?? 0) - 40) < 2 && lost.isEmpty, "\(starts)")
    }

    /// Leaves an episode of 90 s at 40 s, and plays it again, now with another length. Returns where it began, and the
    /// places that were not found.
    private func hearTwice(serverOptions: String, secondLength: Double) async throws -> ([Duration], lost: [Duration]) {
        let rig = try QueueUseRig()
        let feed =
            "<?xml version=\"1.0\"?><rss><channel><title>T</title><item><title>One</title>"
            + "<enclosure url=\"1.mp3\" type=\"audio/mpeg\" length=\"1\"/></item></channel></rss>"
        try rig.folder.write("feed.xml", feed)
        let server = try NginxServer(serving: rig.folder.path, options: serverOptions)
        let (starts, lost) = (Watched<[Duration]>([]), Watched<[Duration]>([]))
        for length in [90, secondLength] {
            try await rig.make("1.mp3", seconds: length)
            let outcome = try await rig.play(
                ["http://127.0.0.1:\(server.port)/feed.xml"], state: rig.folder.file("state")
            ) { rig, notice in
                if case .lostPlace(_, let place) = notice { lost.change { $0.append(place) } }
                guard case .began(_, let start) = notice else { return }
                starts.change { $0.append(start) }
                if starts.value.count == 1 { rig.ask(.position(.seconds(40))) }
                rig.endSoon()
            }
            #expect(outcome.player.heard > .zero && outcome.failure == nil, "\(outcome)")
        }
        return (starts.value, lost.value)
    }

    @Test("A feed is fetched once, however slowly it arrives") func slowFeed() async throws {
        try await rig.make("1.mp3", seconds: 0.4)
        let audio = try bytes(ofFile: rig.folder.file("1.mp3"))
        let item = "<item><title>One</title><enclosure url=\"1.mp3\" type=\"audio/mpeg\" length=\"1\"/></item>"
        let pad = "<!-- " + String(repeating: "blank ", count: 20_000) + "-->"
        let feed = "<?xml version=\"1.0\"?><rss><channel><title>T</title>\(pad)\(item)</channel></rss>"
        let answers: [String: [OriginScript.Step]] = [
            "/feed": [
                .head("HTTP/1.1 200 OK", ["Content-Type": "text/xml", "Content-Length": "\(feed.utf8.count)"]),
                .pace(Array(feed.utf8), bytesPerSecond: 80_000),
            ],
            "/1.mp3": [
                .head("HTTP/1.1 200 OK", ["Content-Type": "audio/mpeg", "Content-Length": "\(audio.count)"]),
                .send(audio),
            ],
        ]
        let origin = try ScriptedOrigin([.request, .byPath(answers)])
        let outcome = try await rig.play([origin.url("/feed")])
        #expect(outcome.failure == nil && outcome.items?.map(\.title) == ["One"])
        #expect(origin.requests.filter { $0.path == "/feed" }.count == 1)
    }

    @Test("A page is not a list, and is reported as a page") func page() async throws {
        let page = OriginScript.Step.text("<!DOCTYPE html><html><body>Hello</body></html>", type: "text/html")
        let origin = try ScriptedOrigin([.request, page])
        let outcome = try await rig.play([origin.url("/page.html")], giveUp: .seconds(1))
        #expect(outcome.failure?.failureClass == .notAudio && outcome.items?.count == 1)
        let first = origin.requests.count
        #expect(first >= 2, "a station may come back")
    }

    /// Seeks as soon as playing begins.
    private func seek(
        _ addresses: [String], to place: Double, _ rig: QueueUseRig, isEndedSoon: Bool = false,
        after wait: Duration = .milliseconds(1_500)
    ) async throws -> (PlayOutcome, [QueueNotice]) {
        var notices: [QueueNotice] = []
        let outcome = try await rig.play(addresses) { rig, notice in
            notices.append(notice)
            guard case .began = notice else { return }
            rig.ask(.position(.seconds(place)))
            if isEndedSoon { rig.endSoon(after: wait) }
        }
        return (outcome, notices)
    }
}
