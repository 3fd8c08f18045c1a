// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import RadioCore
import Stations
import TestTools

/// A station on a loop of its own, with a sink that records everything.
///
/// Sound although not Sendable by itself: `client`, `station` and `sink` are used on the loop only.
final class StationRig: @unchecked Sendable {
    private let loop: EventLoop
    private let heard = Watched(Heard())
    private var client: CurlClient?
    private var station: Programme?
    private var sink: Sink?

    private final class Sink: StreamSink {
        let take: (StreamEvent) -> Void
        init(_ take: @escaping (StreamEvent) -> Void) { self.take = take }
        func receive(_ event: StreamEvent) { take(event) }
    }

    /// Starts a station. `meddle` is called on the loop after each event, and may use the station.
    init(
        _ settings: StationSettings, meddle: (@Sendable (Programme, any StreamSink, StreamEvent) -> Void)? = nil
    ) throws {
        loop = try EventLoop(name: "station-test")
        try loop.start()
        loop.post { [self] in
            let reactor = loop.reactor
            let client = CurlClient(reactor: reactor)
            let station = Programme(settings: settings, client: client, reactor: reactor)
            let sink = Sink { [weak self, weak station] event in
                self?.heard.change { $0.add(event, at: reactor.now, reactor.wallNow) }
                if let station, let sink = self?.sink { meddle?(station, sink, event) }
            }
            (self.client, self.station, self.sink) = (client, station, sink)
            station.onNotice = { [heard] notice in heard.change { $0.notices.append(notice) } }
            station.hub.attach(sink)
            station.start()
        }
    }

    /// Ends the station and its loop.
    func close() {
        loop.post { [self] in
            station?.stop()
            client?.close()
            (client, station, sink) = (nil, nil, nil)
        }
        loop.shutdown()
    }

    /// Waits until enough was received.
    func wait(
        within limit: Duration = .seconds(60), until isEnough: @escaping @Sendable (Heard) -> Bool
    ) async throws -> Heard {
        let enough = try await onThread { [heard] in
            heard.wait(within: limit) { isEnough($0) ? $0 : nil }
        }
        guard let enough else {
            let heard = heard.value
            throw SetupError("not heard in time; so far \(heard.frames) frames, \(heard.order), \(heard.notices)")
        }
        return enough
    }

    /// Calls `body` on the loop, with the station and its sink.
    func act(_ body: @escaping @Sendable (Programme, any StreamSink) -> Void) async {
        await withCheckedContinuation { continuation in
            loop.post { [self] in
                if let station, let sink { body(station, sink) }
                continuation.resume()
            }
        }
    }

    func snapshot() async -> StationSnapshot? {
        await withCheckedContinuation { continuation in
            loop.post { [self] in continuation.resume(returning: station?.snapshot) }
        }
    }

    /// Listens to a station up to its end.
    static func listen(
        toEndOf url: String, change: (inout StationSettings) -> Void = { _ in }
    ) async throws -> Heard {
        try await listen(to: url, change: change) { $0.hasEnded }
    }

    /// Listens to a station until enough was received.
    static func listen(
        to urls: String..., within limit: Duration = .seconds(60),
        change: (inout StationSettings) -> Void = { _ in },
        until isEnough: @escaping @Sendable (Heard) -> Bool
    ) async throws -> Heard {
        var settings = StationSettings.patient(urls)
        change(&settings)
        let rig = try StationRig(settings)
        defer { rig.close() }
        var heard = try await rig.wait(within: limit, until: isEnough)
        heard.snapshot = await rig.snapshot()
        return heard
    }
}

extension StationSettings {
    /// Settings whose deadlines expire only where a test changes them, because a busy machine may hold a test up for
    /// seconds. For the same reason a silence opens no second connection.
    static func patient(_ urls: [String]) -> StationSettings {
        var settings = StationSettings(urls: urls, userAgent: "Aircheck/test", seed: 1)
        settings.limits.resolve = .seconds(120)
        settings.limits.connect = .seconds(120)
        settings.limits.secure = .seconds(120)
        settings.limits.head = .seconds(120)
        settings.limits.firstByte = .seconds(120)
        settings.limits.firstFrame = .seconds(120)
        settings.limits.stall = .seconds(120)
        settings.mayHedge = false
        return settings
    }
}
