// SPDX-License-Identifier: MIT

import CurlClient
import EventLoop
import Glibc
import Instants
import RadioCore
import Stations
import TestSupport
import TestTools

/// Measures the latency of a frame from its last byte at the server to a sink that wants the newest audio. A station
/// runs on a loop of its own; a server on loopback sends each frame when it is due.
struct Latency {
    private static let seconds = 20
    /// The seconds at the start that are not counted.
    private static let settling = 3
    private static let frameTime = Duration.samples(1152, at: 44_100)

    func run() throws -> [Figure] {
        note("latency: \(Self.seconds) s")
        let programme = try ReferenceProgramme(.init(.mp3(128), seconds: Self.seconds))
        let frames = try programme.checker().frames
        let listener = try Loopback.listen(port: 0)
        let port = try Loopback.port(of: listener)
        let sent = Watched<[MonotonicInstant]>([])
        startThread("bench-paced") {
            try? Self.serve(frames, on: listener, sent)
            Loopback.close(listener)
        }
        let arrived = Watched<[MonotonicInstant]>([])
        CurlLibrary.prepareResolver()
        let loop = try EventLoop(name: "bench")
        try loop.start()
        loop.post {
            LatencySink("http://127.0.0.1:\(port)/", reactor: loop.reactor, arrived).start()
        }
        // The last frames are never delivered, because the frames that should follow them are missing.
        let enough = frames.count - 40
        let arrivals = arrived.wait(within: .seconds(Self.seconds + 20)) { $0.count >= enough ? $0 : nil }
        let sendings = sent.value
        loop.shutdown()
        guard let arrivals else { throw SetupError("only \(arrived.value.count) of \(frames.count) frames came") }
        let delays = zip(arrivals, sendings).dropFirst(Self.settling * 39).map { ($0 - $1) / .milliseconds(1) }.sorted()
        let high = percentile(0.99, of: delays)
        return [
            Figure(
                name: "latency: last byte to ring, 99 %, ms", ours: "\(decimal(high)) ms",
                peer: "median \(decimal(median(delays))) ms", value: high, goal: .atMost(50))
        ]
    }

    /// Sends the frames to the first client, each when it is due, and records the instants.
    private static func serve(
        _ frames: [ArraySlice<UInt8>], on listener: CInt, _ sent: Watched<[MonotonicInstant]>
    ) throws {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { throw SetupError("accept: errno \(errno)") }
        defer { Loopback.close(client) }
        var yes: CInt = 1
        setsockopt(client, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
        _ = try Loopback.receive(from: client, by: Deadline(after: .seconds(10)))
        let head = "HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: Paced\r\n\r\n"
        try Loopback.send(head.utf8, to: client)
        let began = MonotonicInstant.now
        for (number, frame) in frames.enumerated() {
            let due = Deadline(after: began + frameTime * number - .now)
            while !due.hasPassed { poll(nil, 0, due.milliseconds) }
            sent.change { $0.append(.now) }
            try Loopback.send(frame, to: client)
        }
    }
}

/// A station and a sink that records when frames arrive.
final class LatencySink: StreamSink {
    private let station: Programme
    private let arrived: Watched<[MonotonicInstant]>

    init(_ url: String, reactor: any Reactor, _ arrived: Watched<[MonotonicInstant]>) {
        self.arrived = arrived
        station = Programme(
            settings: StationSettings(urls: [url], userAgent: "Aircheck/bench", seed: 1),
            client: CurlClient(reactor: reactor), reactor: reactor)
    }

    /// Starts the station. From here on the station's hub holds the sink, and the sink the station, so both live as
    /// long as the loop.
    func start() {
        station.hub.attach(self)
        station.start()
    }

    func receive(_ event: StreamEvent) {
        guard case .chunk(let chunk) = event else { return }
        let now = MonotonicInstant.now
        arrived.change { $0 += chunk.frames.map { _ in now } }
    }
}
