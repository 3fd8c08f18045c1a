// SPDX-License-Identifier: MIT

import Foundation
import Instants
import TestSupport
import TestTools
import Testing

/// What a relay answers to the requests of players, browsers and dashboards.
struct RelayPagesTests {
    @Test("F10: HEAD, HTTP versions, ranges and aliases get the same head, and whole frames of audio")
    func requests() async throws {
        let (studio, relay) = try await Studio.relayed()
        let head = try await relay.curl("/live", "--head")
        #expect(head.status == 200)
        let plain = try await relay.exchange("HEAD /live HTTP/1.0\r\n\r\n")
        #expect(plain.hasPrefix("HTTP/1.0 200 OK\r\n") && plain.hasSuffix("\r\n\r\n"), "\(plain)")
        let expected = [
            "content-type": "audio/mpeg", "icy-name": Studio.name, "icy-genre": "Test", "icy-br": "128",
            "icy-url": "http://radio.example/", "access-control-allow-origin": "*", "connection": "close",
        ]
        #expect(head.fields.filter { expected[$0.key] != nil } == expected, "\(head.fields)")
        for field in ["transfer-encoding", "content-length", "content-range", "icy-metaint"] {
            #expect(head.fields[field] == nil)
        }
        try await atOnce([
            ("/live", ["--http1.1"], "HTTP/1.1"), ("/live", ["--http1.0"], "HTTP/1.0"),
            ("/live", ["--range", "1000-2000"], "HTTP/1.1"), ("/live", ["--range", "0-"], "HTTP/1.1"),
            ("/live.mp3", [], "HTTP/1.1"), ("/live?nothing=special", [], "HTTP/1.1"),
        ]) { (path, options, version) in
            let answer = try await Relaying.Answer(relay.url(path), options, seconds: 2)
            #expect(answer.statusLine == "\(version) 200 OK", "\(path) \(options)")
            #expect(answer.fields["content-type"] == "audio/mpeg" && answer.fields["content-range"] == nil)
            studio.expectStretch(answer.body, seconds: 3.5, "\(path) \(options)")
        }
        #expect(try await relay.curl("/live.ogg").status == 404)
        #expect(try await relay.curl("/other").status == 404)
        #expect(try await relay.curl("/live", "--request", "POST").status == 405)
    }

    @Test("A burst is as long as the client asks, in seconds or bytes, within limits")
    func bursts() async throws {
        let (studio, relay) = try await Studio.relayed()
        // More than ten seconds of audio are available.
        try await relay.waitForAudio(bytes: 60_000)
        #expect(try await studio.origin.hasLogged(within: .seconds(30)) { $0.bodyBytes > 15 * 16_000 })
        try await atOnce([
            ("/live?burst=0", [], 0.0), ("/live?burst=2", [], 2), ("/live", [], 4), ("/live?burst=1000", [], 10),
            ("/live", ["--header", "initial-burst: 0"], 0), ("/live", ["--header", "initial-burst: 32000"], 2),
            ("/live?burst=nonsense", [], 4),
        ]) { (path, options, seconds) in
            let answer = try await Relaying.Answer(relay.url(path), options, seconds: 2)
            let found = studio.check(answer.body)
            #expect(found.isExact, "\(path): \(found)")
            let heard = Double(found.places.count) * 1152 / 44_100
            // Two more seconds have arrived since the request, or fewer on a busy machine.
            #expect((seconds...seconds + 3.2).contains(heard), "\(path) \(options): \(heard) s")
        }
    }

    @Test("A browser is told which requests it may send, and which fields it may read")
    func preflight() async throws {
        let (_, relay) = try await Studio.relayed()
        let answer = try await relay.curl(
            "/live", "--request", "OPTIONS", "--header", "Origin: http://page.example", "--header",
            "Access-Control-Request-Method: GET", "--header", "Access-Control-Request-Headers: icy-metadata")
        #expect((200...204).contains(answer.status))
        #expect(answer.fields["access-control-allow-origin"] == "*")
        #expect(answer.fields["access-control-allow-methods"]?.contains("GET") == true)
        #expect(answer.fields["access-control-allow-headers"]?.lowercased().contains("icy-metadata") == true)
        let stream = try await relay.curl("/live", "--header", "Origin: http://page.example", seconds: 1)
        #expect(stream.fields["access-control-expose-headers"]?.lowercased().contains("icy-name") == true)
        #expect(stream.fields["access-control-allow-origin"] == "*")
    }

    @Test("Playlists lead to the stream, under the host name of the request")
    func playlists() async throws {
        let (_, relay) = try await Studio.relayed()
        let m3u = try await relay.curl("/live.m3u")
        #expect(m3u.fields["content-type"]?.hasPrefix("audio/x-mpegurl") == true)
        #expect(m3u.text == "#EXTM3U\r\n#EXTINF:-1,\(Studio.name)\r\n\(relay.url())\r\n")
        let pls = try await relay.curl("/live.pls", "--header", "Host: radio.example:8000")
        #expect(pls.fields["content-type"]?.hasPrefix("audio/x-scpls") == true)
        let lines = ["[playlist]", "File1=http://radio.example:8000/live", "Title1=\(Studio.name)"]
        for line in lines { #expect(pls.text.contains(line + "\r\n"), "\(pls.text)") }
        // The playlists can be recorded.
        for path in ["/live.m3u", "/live.pls"] {
            let folder = try TemporaryFolder()
            let outcome = try await Aircheck.run(
                ["record", relay.url(path), "--duration", "2s", "--output", folder.path])
            #expect(outcome.succeeded, "\(outcome.standardError)")
        }
    }

    @Test("A relay listens on IPv4 and IPv6, at a configured path")
    func addresses() async throws {
        let studio = try await Studio()
        let options = ["--listen", "127.0.0.1:0", "--listen", "[::1]:0", "--mount", "/radio/reference"]
        let relay = try await Relaying([studio.origin.url()], options)
        try await relay.waitForAudio(at: "/radio/reference")
        #expect(relay.urls.count == 2 && relay.urls[1].hasPrefix("http://[::1]:"), "\(relay.urls)")
        for url in relay.urls {
            #expect(url.hasSuffix("/radio/reference"))
            studio.expectStretch(try await Relaying.Answer(url, [], seconds: 2).body, seconds: 3.5, url)
        }
    }

    @Test("The status page has the listeners and the title, and so has Icecast's page in its own format")
    func status() async throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("socket")
        let (studio, relay) = try await Studio.relayed(["--listen", "127.0.0.1:0", "--listen", "unix:\(socket)"])
        #expect(try await waitUntil(.seconds(20)) { !relay.hasListener() })
        let player = try ChildProcess(
            .curl, ["--silent", "--output", "/dev/null", "--user-agent", "Kitchen Radio/1.0", relay.url()])
        let isListening = try await waitUntil(.seconds(20)) { !player.isRunning || relay.hasListener() }
        try #require(isListening && player.isRunning)
        let mount = try #require(try await relay.status().mounts.first)
        #expect(mount.path == "/live" && mount.name == Studio.name && mount.contentType == "audio/mpeg")
        #expect(mount.listeners == 1 && mount.listenerPeak >= 1 && mount.bytes > 0)
        #expect(mount.title?.hasPrefix(Studio.titlePrefix) == true)
        // The list of listeners is shown only to the owner, through the Unix socket.
        #expect(mount.listenerList?.count == nil)
        let owner = try await Relaying.Answer("http://localhost/status.json", ["--unix-socket", socket])
        let listener = try #require(try owner.json(Relaying.Status.self).mounts.first?.listenerList?.first)
        #expect(listener.userAgent == "Kitchen Radio/1.0" && listener.address == "127.0.0.1")
        #expect(listener.skips == 0 && listener.lag < 5)
        let page = try await relay.curl("/status-json.xsl").json(IcecastPage.self)
        let source = page.icestats.source
        #expect(source.listeners == 1 && source.serverName == Studio.name && source.serverType == "audio/mpeg")
        #expect(source.listenurl == relay.url() && source.bitrate == 128)
        #expect(source.title?.hasPrefix(Studio.titlePrefix) == true)
        withExtendedLifetime(studio) {}
    }

    private struct IcecastPage: Decodable {
        struct Stats: Decodable { let source: Source }

        struct Source: Decodable {
            let listeners: Int
            let serverName: String
            let serverType: String
            let listenurl: String
            let bitrate: Int
            let title: String?
        }

        let icestats: Stats
    }

    @Test("The final report is one object, and standard output contains nothing else")
    func report() async throws {
        let (studio, relay) = try await Studio.relayed(["--json"])
        let answer = try await relay.curl(seconds: 2)
        studio.expectStretch(answer.body, seconds: 3.5)
        #expect(try await waitUntil(.seconds(20)) { !relay.hasListener() })
        async let listening = relay.curl("/live", "--user-agent", "One that stays")
        #expect(try await waitUntil(.seconds(20)) { relay.listenerCount() == 1 })
        let outcome = try await relay.stop()
        #expect(try await listening.body.count > 16_000)
        #expect(outcome.succeeded, "\(outcome.ending) \(outcome.standardError)")
        let report = try outcome.json(Relaying.Report.self)
        #expect(report.urls == relay.urls && report.seconds > 2)
        #expect(report.reconnects == 0 && report.hedges == 0)
        // The listener that waited for audio counts as well, and perhaps some that waited in vain.
        #expect(report.mount.listenersTotal >= 3 && report.mount.bytes >= answer.body.count)
        let listener = try #require(report.mount.listenerList?.first)
        #expect(report.mount.listeners == 1 && report.mount.listenerList?.count == 1)
        #expect(listener.userAgent == "One that stays" && listener.address == "127.0.0.1" && listener.skips == 0)
        // Messages for people are on standard error only.
        #expect(outcome.standardError.contains("only this machine can listen"))
        #expect(report.mount.path == "/live" && report.mount.skips == 0)
    }

    @Test("F3: A full mount refuses clients with a retry time, and the status page still answers")
    func fullMount() async throws {
        let (studio, relay) = try await Studio.relayed(["--max-listeners", "3"])
        // The relay may not have noticed yet that the listeners that waited for audio have left.
        #expect(try await waitUntil(.seconds(20)) { !relay.hasListener() })
        async let good = relay.curl(seconds: 5)
        let others = try (0..<2).map { _ in
            try ChildProcess(.curl, ["--silent", "--output", "/dev/null", "--max-time", "30", relay.url()])
        }
        #expect(try await waitUntil(.seconds(20)) { relay.listenerCount() == 3 })
        let refused = try await relay.curl(seconds: 2)
        #expect(refused.status == 503 && refused.fields["retry-after"].flatMap { Int($0) } != nil, "\(refused.fields)")
        for _ in 0..<10 {
            let page = try await relay.curl("/status.json")
            #expect(page.status == 200 && page.seconds < 1, "\(page.seconds) s")
        }
        studio.expectStretch(try await good.body, seconds: 6)
        withExtendedLifetime(others) {}
        // One listener has left.
        #expect(try await waitUntil(.seconds(20)) { (relay.listenerCount() ?? 3) < 3 })
        #expect(try await relay.curl(seconds: 1).status == 200)
    }
}
