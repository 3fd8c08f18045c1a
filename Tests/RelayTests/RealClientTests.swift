// SPDX-License-Identifier: MIT

import EventLoop
import HTTPServer
import MediaSources
import RadioCore
import Relay
import Stations
import TestSupport
import TestTools
import Testing

/// The demo's programme on a real loop, played by other programs.
@Suite(.serialized) struct RealClientTests {
    @Test("An exact stretch of the programme arrives at curl") func curl() async throws {
        try await withSite { port in
            let curl = try ChildProcess(.curl, ["-s", "-N", "--max-time", "3", "http://127.0.0.1:\(port)/demo"])
            let body = try await curl.outcome(within: .seconds(60)).standardOutput
            // The client gets the burst and what follows within three seconds, at 96 kbit/s.
            #expect((60_000...110_000).contains(body.count))
            let source = DemoProgramme.frames
            let start = try #require(find(body.prefix(600), in: source))
            #expect(source[start...].starts(with: body))
            #expect(body.first == 0xff)
        }
    }

    @Test("The stream plays in ffmpeg without a warning, and with its title") func ffmpeg() async throws {
        try await withSite { port in
            let url = "http://127.0.0.1:\(port)/demo"
            let decode = try ChildProcess(.ffmpeg, ["-v", "warning", "-i", url, "-t", "4", "-f", "null", "-"])
            let decoded = try await decode.outcome(within: .seconds(60))
            #expect(decoded.succeeded && decoded.standardError.isEmpty, "\(decoded.standardError)")
            let probe = try ChildProcess(
                .ffprobe, ["-v", "error", "-icy", "1", "-show_entries", "format_tags", "-of", "default", url])
            let probed = try await probe.outcome(within: .seconds(60))
            #expect(probed.text.contains("icy-name=Aircheck Demo"), "\(probed.text)")
            // Which piece is on the air by now depends on how busy the machine is.
            let titles = ["Aircheck - Sign On", "Aircheck Ensemble - First Light"]
            #expect(titles.contains { probed.text.contains("StreamTitle=\($0)") }, "\(probed.text)")
        }
    }

    private func withSite(_ body: (UInt16) async throws -> Void) async throws {
        let site = try Site()
        let port = try await site.open()
        do {
            try await body(port)
        } catch {
            await site.close()
            throw error
        }
        await site.close()
    }
}

/// A server with the demo's programme on a loop of its own.
private actor Site: LoopActor {
    nonisolated let loop: EventLoop
    private var service: HTTPService?
    private var station: Programme?
    private var mount: Mount?

    init() throws {
        loop = try EventLoop(name: "relay-test")
        try loop.start()
    }

    func open() throws -> UInt16 {
        let service = HTTPService(reactor: loop.reactor)
        let address = try service.listen(try #require(SocketAddress("127.0.0.1:0")))
        let items = DemoProgramme.pieces.enumerated().map { MediaItem(name: "\($0).mp3", staticBytes: $1) }
        let info = StationInfo(kind: .live, name: "Aircheck Demo", url: "demo")
        let station = Programme(items, info: info, repeats: true, ahead: .seconds(4), reactor: loop.reactor)
        // A client that connects before the first audio waits for it.
        var settings = MountSettings()
        settings.isOnDemand = true
        let mount = Mount("/demo", on: service, reactor: loop.reactor, settings: settings)
        mount.tune(to: station.hub)
        self.mount = mount
        station.start()
        self.service = service
        self.station = station
        return address.port
    }

    func close() {
        mount?.close()
        station?.stop()
        service?.close()
        loop.shutdown()
    }
}

private func find(_ needle: ArraySlice<UInt8>, in hay: [UInt8]) -> Int? {
    (0..<max(0, hay.count - needle.count)).first { hay[$0] == needle.first && hay[$0...].starts(with: needle) }
}
