// SPDX-License-Identifier: MIT

import HTTPServer
import Instants
import RadioCore
import RadioFormats
import Stations
import TestSupport
import Testing

@testable import Relay

/// Requests to a mount: its playlists, other addresses, bursts and fields.
struct MountRequestTests {
    @Test("A playlist names the address by which it was requested", arguments: ["m3u", "pls"])
    func playlists(kind: String) throws {
        let rig = try RelayRig()
        let answer = rig.ask("GET /live.\(kind)?burst=2 HTTP/1.1\r\nHost: radio.example:8000\r\n\r\n")
        #expect(answer.text.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.text.contains("Content-Type: audio/x-\(kind == "m3u" ? "mpegurl" : "scpls"); charset=utf-8\r\n"))
        let playlist = try Playlist(answer.body, kind: kind == "m3u" ? .m3u : .pls, base: "")
        #expect(playlist.entries.map(\.url) == ["http://radio.example:8000/live?burst=2"])
        // The station's name tries to break the line.
        #expect(!answer.text.contains("\nX: y"))
    }

    @Test("An address with the codec's extension is the same mount")
    func alias() throws {
        let rig = try RelayRig(running: 5)
        #expect(rig.ask("HEAD /live.mp3 HTTP/1.0\r\n\r\n").text.hasPrefix("HTTP/1.0 200 "))
        #expect(rig.ask("HEAD /live.aac HTTP/1.0\r\n\r\n").text.hasPrefix("HTTP/1.0 404 "))
        rig.hub.begin(StreamFormat(codec: .aac, mpegVersion: .mpeg4, sampleRate: 44100, channels: 2, profile: 1))
        rig.run(1)
        #expect(rig.ask("HEAD /live.mp3 HTTP/1.0\r\n\r\n").text.hasPrefix("HTTP/1.0 404 "))
        #expect(rig.ask("HEAD /live.aac HTTP/1.0\r\n\r\n").text.hasPrefix("HTTP/1.0 200 "))
        rig.close()
        #expect(rig.service.connectionCount == 0)
    }

    @Test("A format that is recorded but not relayed is refused as such")
    func notRelayed() throws {
        let rig = try RelayRig(
            running: 5, format: StreamFormat(codec: .flac, in: .flac, sampleRate: 44_100, channels: 2))
        let answer = rig.ask("GET /live HTTP/1.0\r\n\r\n").text
        #expect(answer.hasPrefix("HTTP/1.0 404 ") && answer.contains("recorded, but not relayed"))
    }

    @Test("A browser may ask for metadata and read the station's fields")
    func preflight() throws {
        let rig = try RelayRig()
        let answer = rig.ask(
            "OPTIONS /live HTTP/1.1\r\nHost: x\r\nOrigin: http://a.example\r\nAccess-Control-Request-Method: GET\r\n"
                + "Access-Control-Request-Headers: icy-metadata\r\n\r\n")
        #expect(answer.text.hasPrefix("HTTP/1.1 204 "))
        for field in [
            "Allow-Origin: *", "Allow-Methods: GET, HEAD",
            "Allow-Headers: Icy-MetaData, Authorization, Range, Cache-Control",
        ] {
            #expect(answer.text.contains("\r\nAccess-Control-\(field)\r\n"), "\(field)")
        }
    }

    @Test(
        "A burst is as long as requested, within the limits in time and in bytes",
        arguments: [
            ("?burst=0", "", 0, 1), ("?burst=1", "", 37, 45), ("?burst=10", "", 380, 425),
            ("?burst=3600", "", 380, 425),
            ("", "initial-burst: 41700\r\n", 62, 101), ("", "initial-burst: 0\r\n", 0, 1),
            ("", "initial-burst: 99999999\r\n", 380, 425), ("?burst=-1", "", 153, 200), ("?burst=nan", "", 153, 200),
            ("?burst=", "", 153, 200), ("", "", 153, 200),
        ])
    func bursts(query: String, field: String, least: Int, most: Int) throws {
        let rig = try RelayRig(running: 30)
        let client = rig.listen(field, query: query)
        client.collect()
        let frames = try #require(rig.frameNumbers(client.body))
        #expect((least...most).contains(frames.count), "\(frames.count)")
    }

    @Test("A burst has a limit in bytes")
    func bytes() throws {
        let rig = try RelayRig(running: 30) { $0.burstBytes = 20_000 }
        let client = rig.listen()
        client.collect()
        #expect((10_000...20_000).contains(client.body.count), "\(client.body.count)")
        rig.close()
    }

    @Test("Configured station fields replace those of the station")
    func overrides() throws {
        var settings = MountSettings()
        settings.fields.name = "Mine"
        settings.fields.genre = "Talk"
        settings.fields.isPublic = false
        settings.fields.sampleRate = 44_100
        let rig = try RelayRig(running: 1, settings: settings)
        let head = rig.ask("HEAD /live HTTP/1.0\r\n\r\n").text
        for field in ["icy-name: Mine", "icy-genre: Talk", "icy-pub: 0", "icy-br: 128", "icy-sr: 44100"] {
            #expect(head.contains("\r\n\(field)\r\n"), "\(field)")
        }
    }

    @Test(
        "What a station says of itself is passed on only where it is what it should be",
        arguments: [
            ("icy-br", "128", "128"), ("icy-br", "0128", "128"), ("icy-br", "128,128", "measured"),
            ("icy-br", "0", "measured"),
            ("icy-br", "Quality 0", "measured"), ("icy-sr", "44100", "44100"), ("icy-sr", "44.1", nil),
            ("icy-pub", "1", "1"),
            ("icy-pub", "-1", nil), ("icy-pub", "yes", nil),
            ("icy-url", "https://radio.example/", "https://radio.example/"),
            ("icy-url", "(null)", nil), ("icy-url", "javascript:alert(1)", nil), ("icy-url", "radio.example", nil),
            ("icy-genre", "Jazz, Soul", "Jazz, Soul"),
        ])
    func statedFields(name: String, stated: String, passedOn: String?) throws {
        let rig = try RelayRig()
        var info = StationInfo(kind: .live, name: "Test", url: "http://origin/")
        info.icyFields = [.init(name: name, value: stated)]
        rig.hub.announce(info)
        rig.run(3)
        let head = rig.ask("HEAD /live HTTP/1.0\r\n\r\n").text
        let value = head.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
            $0.dropFirst(name.count + 2)
        }
        // The measured rate is 128 kbit/s, because frames have 417 bytes at 44.1 kHz.
        #expect(value == (passedOn == "measured" ? "128" : passedOn.map { $0[...] }))
    }

    @Test("The address that comes with a title is passed on with it")
    func artwork() throws {
        let rig = try RelayRig()
        rig.hub.setTitle("A – B", url: "https://radio.example/cover%27s.jpg")
        rig.run(10)
        let client = rig.listen("Icy-MetaData: 1\r\n")
        let text = String(decoding: client.collect().received, as: UTF8.self)
        #expect(text.contains("StreamTitle='A – B';StreamUrl='https://radio.example/cover%27s.jpg';"))
        rig.close()
    }

    @Test(
        "A mount is served to sloppy players: without a Host, with it twice, with odd lines, an absolute target, any query",
        arguments: [
            "GET /live HTTP/1.1\r\n\r\n", "GET /live HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
            "GET /live HTTP/1.1\r\nHost: x\r\nbroken line\r\nX y: z\r\n folded\r\n\r\n",
            "GET /live HTTP/1.1\r\nHost : x\r\n\r\n", "GET /live HTTP/1.1\r\nHost: a/b\r\n\r\n",
            "GET http://radio.example/live HTTP/1.1\r\nHost: radio.example:8000\r\n\r\n",
            "GET http://radio.example:8000/live HTTP/1.1\r\nHost: radio.example\r\n\r\n",
            "GET /live?ref=http%3A%2F%2Fx HTTP/1.0\r\n\r\n", "GET /live?q=100% HTTP/1.0\r\n\r\n",
            "GET /live?titre=été HTTP/1.0\r\n\r\n", "GET /live/ HTTP/1.0\r\n\r\n",
        ])
    func sloppyPlayers(request: String) throws {
        let rig = try RelayRig()
        rig.service.router.alias = { [path = rig.mount.path] in MountAlias.target(of: $0, mounts: [path]) }
        rig.run(3)
        let client = rig.reactor.connect(port: rig.port)
        client.send(request)
        rig.reactor.pump { !client.collect().text.isEmpty }
        #expect(client.text.hasPrefix("HTTP/1.\(request.contains("HTTP/1.1") ? 1 : 0) 200 "))
        #expect(client.text.contains("\r\nConnection: close\r\n"))
        // A request for a page is refused for the same faults.
        if request.contains("HTTP/1.1") {
            let page = rig.ask(request.replacing("/live", with: "/nothing"))
            #expect(page.text.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(
        "Paths of SHOUTcast lead to the first mount, and a slash too many to the one before it",
        arguments: [
            ("/;", "/a"), ("/;stream.mp3", "/a"), ("/;?x", "/a"), ("/stream", "/a"), ("/stream/", "/a"),
            ("/stream/1/", "/a"),
            ("/stream/2", "/b"), ("/stream/3", nil), ("/stream/0", nil), ("/stream/x", nil), ("/listen.pls", "/a.pls"),
            ("/listen.m3u", "/a.m3u"), ("/listen.xspf", "/a.xspf"), ("/listen.txt", nil), ("/b/", "/b"), ("/b", nil),
        ])
    func aliases(path: String, target: String?) {
        #expect(MountAlias.target(of: path, mounts: ["/a", "/b"]) == target)
    }

    @Test("A playlist in XSPF names the station, whatever it is called, and the address")
    func xspf() throws {
        let rig = try RelayRig { $0.fields.name = "R&B <Radio> \"1\"" }
        let text = rig.ask("GET /live.xspf?a=1&b=2 HTTP/1.1\r\nHost: radio.example:8000\r\n\r\n").text
        #expect(text.contains("\r\nContent-Type: application/xspf+xml\r\n"))
        #expect(text.contains("<location>http://radio.example:8000/live?a=1&amp;b=2</location>"))
        #expect(text.contains("<title>R&amp;B &lt;Radio&gt; &quot;1&quot;</title>"))
    }

    @Test("A range request for a live stream gets the stream")
    func ranges() throws {
        let rig = try RelayRig(running: 5)
        let client = rig.listen("Range: bytes=1000-\r\n")
        #expect(client.collect().text.hasPrefix("HTTP/1.0 200 "))
        rig.close()
    }
}

/// A station that is connected only while a client wants to listen.
struct OnDemandMountTests {
    @Test("A request waits for the first audio, and the station is wanted while there are clients")
    func waiting() throws {
        let rig = try DemandRig()
        let client = rig.connect()
        let other = rig.connect()
        rig.reactor.drain()
        #expect(rig.wanted == [true])
        rig.reactor.advance(by: .seconds(9))
        rig.reactor.drain()
        #expect(client.collect().text.isEmpty)
        rig.tune()
        rig.play(40)
        rig.reactor.pump { rig.mount.listenerCount == 2 }
        #expect(client.collect().text.hasPrefix("HTTP/1.0 200 ") && other.collect().text.hasPrefix("HTTP/1.0 200 "))
        client.reset()
        rig.reactor.pump { rig.mount.listenerCount == 1 }
        #expect(rig.wanted == [true])
        other.reset()
        rig.reactor.pump { rig.mount.listenerCount == 0 }
        #expect(rig.wanted == [true, false])
    }

    @Test("A request that gets no audio within ten seconds is told to come again")
    func patience() throws {
        let rig = try DemandRig()
        let client = rig.connect()
        rig.reactor.drain()
        rig.reactor.advance(by: .seconds(10.1))
        rig.reactor.pump { client.collect().end != nil }
        #expect(client.text.hasPrefix("HTTP/1.0 503 ") && client.text.contains("\r\nRetry-After: 2\r\n"))
        #expect(rig.wanted == [true, false])
    }

    @Test("If the station fails, waiting requests are refused at once, and the next request starts it again")
    func failing() throws {
        let rig = try DemandRig()
        let client = rig.connect()
        rig.reactor.drain()
        rig.tune()
        rig.hub.end(nil)
        rig.reactor.pump { client.collect().end != nil }
        #expect(client.text.hasPrefix("HTTP/1.0 503 "))
        rig.mount.detune()
        let next = rig.connect()
        rig.reactor.drain()
        #expect(next.collect().text.isEmpty)
        #expect(rig.wanted == [true, false, true])
    }

    @Test("A request with an extension starts the station as well")
    func alias() throws {
        let rig = try DemandRig()
        let client = rig.connect("/live.mp3")
        rig.reactor.drain()
        #expect(rig.wanted == [true])
        rig.tune()
        rig.play(40)
        rig.reactor.pump { rig.mount.listenerCount == 1 }
        #expect(client.collect().text.hasPrefix("HTTP/1.0 200 "))
        rig.close()
    }

    @Test("A request with another codec's extension starts the station, and is refused when the codec is known")
    func otherAlias() throws {
        let rig = try DemandRig()
        let client = rig.connect("/live.ogg")
        rig.reactor.drain()
        rig.tune()
        rig.play(40)
        rig.reactor.pump { client.collect().end != nil }
        #expect(client.text.hasPrefix("HTTP/1.0 404 "))
    }

    @Test("Requests that wait while the station fails are told how long it rests")
    func restingWhileWaiting() throws {
        let rig = try DemandRig()
        let client = rig.connect()
        rig.reactor.drain()
        rig.tune()
        rig.mount.restsUntil = rig.reactor.now + .seconds(60)
        rig.hub.end(nil)
        rig.reactor.pump { client.collect().end != nil }
        #expect(client.text.contains("\r\nRetry-After: 60\r\n"))
    }

    @Test("Waiting requests leave connections to pages, as listeners do")
    func room() throws {
        var limits = HTTPLimits()
        limits.connections = 40
        let rig = try DemandRig(limits: limits)
        let clients = (0..<39).map { _ in rig.connect() }
        rig.reactor.drain()
        let refused = clients.count { $0.collect().text.hasPrefix("HTTP/1.0 503 ") }
        #expect(refused == 39 - limits.mostStreams && limits.mostStreams < 30)
        let page = rig.connect("/live.m3u")
        rig.reactor.pump { page.collect().end != nil }
        #expect(page.text.hasPrefix("HTTP/1.0 200 "))
        rig.tune()
        rig.play(40)
        rig.reactor.pump { rig.mount.listenerCount == limits.mostStreams }
        #expect(rig.mount.listenerCount == limits.mostStreams)
    }

    @Test("A listener served before the station's burst gets a longer flush interval after it")
    func interval() throws {
        let rig = try DemandRig()
        let client = rig.connect()
        rig.reactor.drain()
        rig.tune()
        rig.play(20)
        rig.reactor.pump { rig.mount.listenerCount == 1 }
        let interval = { try #require(rig.mount.turns.all.first?.seat).interval }
        #expect(try interval() <= .milliseconds(125))
        rig.play(240)
        for _ in 0..<(8 * 5) {
            rig.play(5)
            rig.reactor.advance(by: .milliseconds(125))
            rig.reactor.drain()
            client.collect()
        }
        #expect(try interval() == .seconds(1))
        rig.close()
    }

    @Test("While the station rests after a failure, requests do not start it, and are told how long it rests")
    func resting() throws {
        let rig = try DemandRig()
        rig.mount.restsUntil = rig.reactor.now + .seconds(7)
        let client = rig.connect()
        rig.reactor.pump { client.collect().end != nil }
        #expect(client.text.contains("\r\nRetry-After: 7\r\n") && rig.wanted.isEmpty)
        rig.reactor.advance(by: .seconds(7))
        let next = rig.connect()
        rig.reactor.drain()
        #expect(next.collect().text.isEmpty && rig.wanted == [true])
    }

    @Test("Many waiting requests are all served, in slices")
    func many() throws {
        let rig = try DemandRig()
        for _ in 0..<200 { _ = rig.connect() }
        rig.reactor.drain()
        rig.tune()
        rig.play(40)
        rig.reactor.pump {
            rig.reactor.advance(by: .milliseconds(1))
            return rig.mount.listenerCount == 200
        }
        #expect(rig.mount.listenerCount == 200 && rig.wanted == [true])
    }

    @Test("Audio from before the station was released is not served as live")
    func stale() throws {
        let rig = try DemandRig()
        rig.tune()
        rig.play(400)
        rig.mount.detune()
        let client = rig.connect()
        rig.reactor.drain()
        #expect(client.collect().text.isEmpty && rig.wanted == [true])
    }
}

private final class DemandRig: MountRig {
    let hub = StreamHub()
    private(set) var wanted: [Bool] = []

    init(limits: HTTPLimits = HTTPLimits()) throws {
        var settings = MountSettings()
        settings.isOnDemand = true
        try super.init(settings: settings, limits: limits)
        mount.onWanted = { [weak self] in self?.wanted.append($0) }
    }

    func tune() {
        hub.begin(RelayRig.mp3)
        mount.tune(to: hub)
    }

    func play(_ frames: Int) {
        let frame = [UInt8](repeating: 1, count: RelayRig.frameSize)
        for _ in 0..<frames { frame.withUnsafeBytes { hub.append($0, samples: 1152, backReference: 0) } }
        hub.flush()
    }

    func connect(_ path: String = "/live") -> LoopbackClient {
        let client = reactor.connect(port: port)
        client.send("GET \(path) HTTP/1.0\r\n\r\n")
        return client
    }
}
