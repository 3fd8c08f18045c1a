// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats
import TestSupport
import Testing

@testable import Stations

/// Playlists in place of a station.
struct PlaylistTests {
    private static let audio: [OriginScript.Step] = [.icyHead(), .send(SampleProgramme(30).bytes), .stall(Gate())]

    @Test(
        "A18: A playlist is followed whatever its content type, and its addresses may be relative",
        arguments: [
            ("audio/x-scpls", "[playlist]\nNumberOfEntries=2\nFile1=live\nTitle1=Radio\nFile2=/b\n"),
            ("audio/x-mpegurl", "#EXTM3U\r\n#EXTINF:-1,Radio\r\nlive\r\n/b\r\n"),
            ("audio/mpeg", "[playlist]\nFile1=../radio/live\n"),
            ("text/plain", "\u{FEFF}#EXTM3U\n#EXTINF:-1,Radio\n/radio/live\n"),
            ("audio/mpeg", "#EXTM3U\n/radio/live\n"),
            (
                "application/xspf+xml",
                "<?xml version='1.0'?><playlist><trackList><track><location>live</location></track></trackList></playlist>"
            ),
            ("video/x-ms-asf", "<ASX version=3><ENTRY><REF HREF='/radio/live?a=1&b=2'></ENTRY></ASX>"),
            ("video/x-ms-asf", "[Reference]\r\nRef1=live?MSWMExt=.asf\r\n"),
        ])
    func playlist(type: String, text: String) async throws {
        let origin = try Self.origin(["/radio/station": [.text(text, type: type)], "/radio/live": Self.audio])
        let heard = try await StationRig.listen(to: origin.url("/radio/station?id=1")) { $0.frames >= 28 }
        #expect(heard.infos.map(\.url) == [origin.url("/radio/live")])
        #expect(heard.snapshot?.playlists == [origin.url("/radio/station")] && heard.failures.isEmpty)
    }

    @Test(
        "A header that the user set for a server is not sent to another server that it points to",
        arguments: [true, false])
    func userHeaders(byPlaylist: Bool) async throws {
        let stranger = try Self.origin(["/live": Self.audio])
        let pointer: OriginScript.Step =
            byPlaylist
            ? .text("[playlist]\nFile1=\(stranger.url("/live"))\n", type: "audio/x-scpls")
            : .redirect(to: stranger.url("/live"))
        let origin = try Self.origin(["/a": [pointer]])
        let heard = try await StationRig.listen(
            to: origin.url("/a"), change: { $0.headers = [.init(name: "X-Token", value: "secret")] }
        ) { $0.frames >= 28 }
        #expect(heard.failures.isEmpty)
        #expect(origin.requests.map { $0.header("X-Token") } == ["secret"])
        #expect(stranger.requests.map { $0.header("X-Token") } == [nil])
    }

    @Test("B47: What a list says about a request is sent with the requests for that entry only, also after a redirect")
    func listOptions() async throws {
        let origin = try Self.origin([
            "/list": [
                .text(
                    "#EXTM3U\n#EXTVLCOPT:http-user-agent=App/7\n#EXTVLCOPT:http-referrer=http://r.example/\n/a\n",
                    type: "audio/x-mpegurl")
            ], "/a": [.redirect(to: "/live")], "/live": Self.audio,
        ])
        let heard = try await StationRig.listen(to: origin.url("/list")) { $0.frames >= 28 }
        #expect(heard.failures.isEmpty)
        #expect(origin.requests.map { $0.header("User-Agent") == "App/7" } == [false, true, true])
        #expect(origin.requests.map { $0.header("Referer") } == [nil, "http://r.example/", "http://r.example/"])
    }

    @Test(
        "A server is identified by scheme, host and port",
        arguments: [
            ("http://a.example/x", true), ("http://me:pw@A.example:80/", true), ("a.example/y", true),
            ("http://a.example:8000/x", false), ("https://a.example/x", false), ("http://b.example/x", false),
            ("http://a.example@b.example/x", false), ("", false),
        ])
    func serverIdentity(url: String, isKnown: Bool) {
        #expect(MirrorList(["http://a.example/station"]).isConfigured(originOf: url) == isKnown)
    }

    @Test("A playlist may lead to further playlists, three deep") func chain() async throws {
        let origin = try Self.origin([
            "/a": [.text("[playlist]\nFile1=/b.m3u\n", type: "audio/x-scpls")],
            "/b.m3u": [.text("#EXTM3U\n/c.pls\n", type: "audio/x-mpegurl")],
            "/c.pls": [.text("[playlist]\nFile1=/live\n", type: "audio/x-scpls")],
            "/live": Self.audio,
        ])
        let heard = try await StationRig.listen(to: origin.url("/a")) { $0.frames >= 28 }
        #expect(heard.snapshot?.playlists == ["/a", "/b.m3u", "/c.pls"].map { origin.url($0) })
    }

    @Test(
        "A18: Playlists in a circle or without end are refused",
        arguments: [
            ["/a": "/b", "/b": "/a"],
            ["/a": "/a"],
            ["/a": "/b", "/b": "/c", "/c": "/d", "/d": "/e", "/e": "/f"],
        ])
    func circles(links: [String: String]) async throws {
        let origin = try Self.origin(
            links.mapValues { [.text("[playlist]\nFile1=\($0)\n", type: "audio/x-scpls")] })
        let heard = try await StationRig.listen(to: origin.url("/a")) { !$0.failures.isEmpty }
        #expect(heard.failures.first?.failureClass == .notAudio)
        #expect(heard.failures.first?.message.contains("without end") == true && heard.frames == 0)
    }

    @Test("A18: The addresses of a long playlist that are not used are counted") func longPlaylist() async throws {
        let lines = (0..<150).map { "/\($0)\n" }.joined()
        let origin = try Self.origin(["/a": [.text("#EXTM3U\n" + lines, type: "audio/x-mpegurl")], "/0": Self.audio])
        let heard = try await StationRig.listen(to: origin.url("/a")) { $0.frames >= 28 }
        let followed = heard.notices.first { if case .followedPlaylist = $0 { true } else { false } }
        #expect(followed == .followedPlaylist(url: origin.url("/a"), entries: 100, leftOut: 50, ignoredOptions: []))
    }

    @Test("A playlist that names itself among others leads to the others") func selfReference() async throws {
        let origin = try Self.origin([
            "/a": [.text("#EXTM3U\n/a\n/live\n", type: "audio/x-mpegurl")], "/live": Self.audio,
        ])
        let heard = try await StationRig.listen(to: origin.url("/a")) { $0.frames >= 28 }
        #expect(heard.failures.isEmpty)
    }

    @Test(
        "A18: A playlist that leads nowhere fails with the reason",
        arguments: [
            (
                "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-STREAM-INF:BANDWIDTH=128000\nlow.m3u8\n", Failure.Class.notFound,
                "low.m3u8"
            ),
            ("#EXTM3U\nmms://a.example/x\nmms://a.example/y\n", .unsupported, "has only mms: addresses"),
            ("", .notAudio, "contains no address"),
            ("[playlist]\nNumberOfEntries=0\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n", .notAudio, "contains no address"),
            ("#EXTM3U\n" + String(repeating: "# a line of nothing\n", count: 4_000), .notAudio, "64 KiB"),
        ])
    func leadsNowhere(text: String, kind: Failure.Class, word: String) async throws {
        let origin = try Self.origin(["/a": [.text(text, type: "audio/x-mpegurl")]])
        let heard = try await StationRig.listen(to: origin.url("/a")) { !$0.failures.isEmpty }
        #expect(heard.failures.first?.failureClass == kind)
        #expect(heard.failures.first?.message.contains(word) == true, "\(heard.failures.first?.message ?? "")")
    }

    @Test("The entries of a playlist are mirrors in the playlist's place") func entries() async throws {
        let origin = try Self.origin([
            "/a": [.text("[playlist]\nFile1=/gone\nFile2=/live\n", type: "audio/x-scpls")], "/live": Self.audio,
        ])
        let heard = try await StationRig.listen(to: origin.url("/a"), origin.url("/last")) { $0.frames >= 28 }
        #expect(origin.requests.map(\.target) == ["/a", "/gone", "/live"])
        #expect(heard.failures.map(\.failureClass) == [.notFound])
    }

    @Test("A playlist entry that is not an address is passed over and ends nothing") func invalidEntry() async throws {
        let list = "#EXTM3U\nhttp://not a host:99999999/\nhttp://[::bad/\n/live\n"
        let origin = try Self.origin(["/a": [.text(list, type: "audio/x-mpegurl")], "/live": Self.audio])
        let heard = try await StationRig.listen(to: origin.url("/a")) { $0.frames >= 28 || $0.hasEnded }
        #expect(heard.frames >= 28 && !heard.failures.contains { $0.failureClass == .usage })
    }

    @Test("A playlist whose entries have all failed is read again, but not over and over") func staleEntries() throws {
        let programme = Broadcast([.music(.seconds(80))])
        let script = LiveScript { visit in
            switch visit.target {
            case "/a": .text("File1=/\(visit.time < .seconds(9) ? "stale" : "fresh")\n", type: "audio/x-scpls")
            case "/fresh": .stream(LiveStream(programme))
            default: .status(404, "Not Found")
            }
        }
        let outcome = Self.station(script, programme).run(for: .seconds(25))
        let asked = outcome.log.requests.filter { $0.target == "/a" }
        #expect(asked.count == 2)
        let between = try #require(asked.last).at - (try #require(asked.first)).at
        #expect(between >= .seconds(10) && between < .seconds(20), "\(between)")
        #expect(outcome.isWhole && outcome.report.places.count > 150)
        #expect(outcome.snapshot.playlists.count == 1)
    }

    @Test("A playlist entry that is valid for one connection is read anew at the next cut, and nothing is lost")
    func oneTimeEntry() {
        let programme = Broadcast([.music(.seconds(100))])
        let script = LiveScript { visit in
            guard visit.target == "/a" else {
                let isGood = visit.time < .milliseconds((Int(visit.target.dropFirst()) ?? 0) + 500)
                let stream = LiveStream(programme, faults: [.inFrame(after: .seconds(12), .reset)])
                return isGood ? .stream(stream) : .status(403, "Forbidden")
            }
            return .text("File1=/\(Int(visit.time.inSeconds * 1_000))\n", type: "audio/x-scpls")
        }
        let outcome = Self.station(script, programme).run(for: .seconds(45))
        #expect(outcome.isWhole && outcome.log.faults.count >= 3, "\(outcome)")
    }

    @Test("A playlist from our own network may lead into it, and one from outside may not") func privateAddresses() {
        var list = MirrorList(["http://user.example/a", "http://user.example/b"])
        #expect(list[0].allowsPrivateAddress)
        let outside = list.follow(
            playlistAt: 0, entries: Self.listed("http://x.example/1"), isPeerPrivate: false, at: now)
        let inside = list.follow(
            playlistAt: 1, entries: Self.listed("http://y.example/1"), isPeerPrivate: true, at: now)
        #expect(outside && inside)
        #expect(!list[0].allowsPrivateAddress && list[1].allowsPrivateAddress)
        // A chain of playlists that has once led outside counts as outside from then on.
        let further = list.follow(
            playlistAt: 0, entries: Self.listed("http://192.168.0.1/"), isPeerPrivate: true, at: now)
        #expect(further && !list[0].allowsPrivateAddress)
        #expect(list.forgetPlaylists(now + .seconds(9)) == nil)
        #expect(list.forgetPlaylists(now + .seconds(10)) == [nil, nil] && list[0].allowsPrivateAddress)
        #expect(list.forgetPlaylists(now + .seconds(20)) == nil)
    }

    @Test("The addresses that the user gave stay the same when playlists are forgotten") func forgetPlaylists() {
        var list = MirrorList(["http://a.example/", "http://b.example/list", "http://c.example/"])
        _ = list.follow(
            playlistAt: 1, entries: Self.listed("http://x.example/", "http://y.example/"), isPeerPrivate: false,
            at: now)
        #expect(list.forgetPlaylists(now + .seconds(60)) == [0, nil, 3])
    }

    @Test("A playlist cannot make more than a hundred mirrors") func mirrorLimit() {
        var list = MirrorList(["http://a.example/"])
        let many = (0..<90).map { "http://a.example/\($0)" }
        for place in [0, 89, 5] {
            let leadsOn = list.follow(
                playlistAt: place, entries: many.map { Playlist.Entry(url: "\($0)/\(place)") }, isPeerPrivate: false,
                at: now)
            #expect(leadsOn && list.count <= 100)
        }
        #expect(list.count == 100)
    }

    private let now = MonotonicInstant(nanoseconds: 1_000_000_000)

    private static func listed(_ urls: String...) -> [Playlist.Entry] { urls.map { Playlist.Entry(url: $0) } }

    private static func station(_ script: LiveScript, _ programme: Broadcast) -> VirtualStation {
        VirtualStation(script, hearing: HeardFrames(of: programme), urls: ["http://radio.test/a"])
    }

    private static func origin(_ paths: [String: [OriginScript.Step]]) throws -> ScriptedOrigin {
        try ScriptedOrigin([.request, .byPath(paths)])
    }
}
