// SPDX-License-Identifier: MIT

import EventLoop
import EventLoopTesting
import Instants
import RadioCore
import Stations
import TestSupport
import Testing

/// How long audio takes from its arrival to the sinks, and how many wake-ups that costs, in virtual time.
struct LatencyTests {
    private static let shapes = [MPEGShape(32, sampleRate: 22_050, isMono: true), MPEGShape(128), MPEGShape(320)]

    /// A block holds one packet, one frame, or much audio. So the header that follows a frame arrives together with the
    /// frame or up to a second later. (A block of 1 byte is a frame, because a stream releases whole frames.)
    @Test("A frame is in the ring within 50 ms of its last byte", arguments: shapes, [1, 104, 417, 1_400, 4_096])
    func ringDelay(shape: MPEGShape, block: Int) throws {
        let programme = Broadcast([.music(.seconds(61))], shape)
        let sent = sent(programme, block)
        let stream = LiveStream(programme, burst: 0, block: block)
        let (arrivals, _) = listen(to: stream, tolerances: [.zero, nil, .seconds(1) / 3])
        // Delays are not steady until three headers have been seen.
        let worst = try #require(zip(arrivals, sent).map { $0 - $1 }.dropFirst(3).max())
        #expect(worst <= .milliseconds(50), "\(worst)")
        // The last frame may be missing, because it has only just arrived.
        #expect(arrivals.count >= sent.count { $0 <= .seconds(60) } - 1)
    }

    /// The framer has already released the frame before, so the bytes of this frame do not complete another frame.
    @Test(
        "A frame that comes alone after a pause does not wait for the next one",
        arguments: [Duration.zero, .milliseconds(150)])
    func loneFrame(tolerance: Duration) throws {
        let programme = Broadcast([.music(.seconds(30))])
        let sent = programme.frames.map { $0.start + $0.length }
        // Frames 400 to 438 are left out. Then frame 439 is sent alone, and the next one follows 8 s later.
        let faults: [LiveFault] = [
            .at(sent[399] + .milliseconds(1), .stall), .at(sent[438] + .milliseconds(1), .resumeLive),
            .at(sent[439] + .milliseconds(1), .stall), .at(sent[439] + .seconds(8), .resumeLive),
        ]
        let stream = LiveStream(programme, burst: 0, faults: faults, block: 1)
        let (arrivals, _) = listen(to: stream, tolerances: [tolerance])
        let delay = try #require(arrivals.count > 401 ? arrivals[400] : nil) - sent[439]
        #expect(delay <= .milliseconds(200), "\(delay)")
    }

    @Test("A sink that waits for up to a third of a second costs some three wake-ups a second", arguments: shapes)
    func wakeUps(shape: MPEGShape) throws {
        let programme = Broadcast([.music(.seconds(61))], shape)
        let sent = sent(programme, 1_400)
        let (arrivals, deliveries) = listen(to: LiveStream(programme, burst: 0), tolerances: [.seconds(1) / 3, nil])
        #expect(try #require(zip(arrivals, sent).map { $0 - $1 }.dropFirst(100).max()) <= .milliseconds(500))
        #expect(deliveries < 60 * 4, "\(deliveries)")
    }

    /// The time at which the last byte of each frame is sent. A block is sent once all of its bytes have been on air.
    private func sent(_ programme: Broadcast, _ block: Int) -> [Duration] {
        programme.frames.indices.compactMap { number in
            let blocks = (programme.byteRange(of: number..<number + 1).upperBound + block - 1) / block
            return programme.time(ofEdge: blocks * block)
        }
    }

    /// Listens to a programme from its beginning, for a minute, with a sink for each tolerance. Returns the times at
    /// which the first sink received each frame.
    private func listen(to stream: LiveStream, tolerances: [Duration?]) -> (arrivals: [Duration], deliveries: Int) {
        let script = LiveScript(.stream(stream), onAir: .zero)
        let station = VirtualStation(script, tolerance: tolerances[0]) { $0 = .patient($0.urls) }
        let (reactor, began) = (station.reactor, station.reactor.now)
        var arrivals: [Duration] = []
        station.sink.meddle = { event in
            guard case .chunk(let chunk) = event else { return }
            arrivals += chunk.frames.map { _ in reactor.now - began }
        }
        let others = tolerances.dropFirst().map { VirtualStation.Sink(reactor, tolerance: $0) }
        for sink in others { station.station.hub.attach(sink) }
        station.startAtOnce()
        reactor.advance(by: .seconds(60))
        return (arrivals, station.end().log.deliveries)
    }
}
