// SPDX-License-Identifier: MIT

import EventLoop
import Instants
import RadioCore
import Stations
import Testing

/// How long audio takes from its arrival to the sinks, and how many wake-ups that costs, in virtual time.
struct LatencyTests {
    private let reactor = ManualReactor()

    /// Records when each frame arrived.
    private final class Sink: StreamSink {
        let tolerance: Duration?
        let reactor: ManualReactor
        var arrivals: [MonotonicInstant] = []

        init(tolerance: Duration?, reactor: ManualReactor) {
            (self.tolerance, self.reactor) = (tolerance, reactor)
        }

        func receive(_ event: StreamEvent) {
            guard case .chunk(let chunk) = event else { return }
            arrivals += chunk.frames.map { _ in reactor.now }
        }
    }

    /// A block holds one packet, one frame, or much audio. So the header that follows a frame arrives together with the
    /// frame or up to a second later.
    @Test(
        "A frame is in the ring within 50 ms of its last byte", arguments: PacedProgramme.Rate.allCases,
        [0, 104, 417, 1_400, 4_096])
    func ringDelay(rate: PacedProgramme.Rate, block: Int) throws {
        let programme = PacedProgramme(rate, length: .seconds(60))
        let blocks = block > 0 ? programme.blocks(of: block) : programme.frameBlocks()
        let (delays, _) = listen(to: programme, blocks, tolerances: [.zero, nil, .seconds(1) / 3])
        // Delays are not steady until three headers have been seen.
        let worst = try #require(delays.dropFirst(3).max())
        #expect(worst <= .milliseconds(50), "\(worst)")
        // The last frame may be missing, because it has only just arrived.
        #expect(delays.count >= programme.arrivals(of: blocks).count - 1)
    }

    /// The framer has already released the frame before, so the bytes of this frame do not complete another frame.
    @Test(
        "A frame that comes alone after a pause does not wait for the next one",
        arguments: [Duration.zero, .milliseconds(150)])
    func loneFrame(tolerance: Duration) throws {
        let programme = PacedProgramme(.kbit128, length: .seconds(30))
        var blocks = programme.frameBlocks()
        for index in blocks.indices.dropFirst(400) { blocks[index].at += .seconds(index == 400 ? 1 : 9) }
        let (delays, _) = listen(to: programme, blocks, tolerances: [tolerance])
        #expect(try #require(delays.count > 401 ? delays[400] : nil) <= .milliseconds(200), "\(delays[400])")
    }

    @Test(
        "A sink that waits for up to a third of a second costs some three wake-ups a second",
        arguments: PacedProgramme.Rate.allCases)
    func wakeUps(rate: PacedProgramme.Rate) throws {
        let programme = PacedProgramme(rate, length: .seconds(60))
        let (delays, deliveries) = listen(
            to: programme, programme.blocks(of: 1_400), tolerances: [.seconds(1) / 3, nil])
        #expect(try #require(delays.dropFirst(100).max()) <= .milliseconds(500))
        #expect(deliveries < 60 * 4, "\(deliveries)")
    }

    private func listen(
        to programme: PacedProgramme, _ blocks: [PacedClient.Block], tolerances: [Duration?]
    ) -> (delays: [Duration], deliveries: Int) {
        let client = PacedClient(blocks, reactor: reactor)
        let station = Station(
            settings: .patient(["http://station.example/live"]), client: client, reactor: reactor)
        let sinks = tolerances.map { Sink(tolerance: $0, reactor: reactor) }
        for sink in sinks { station.hub.attach(sink) }
        let began = reactor.now
        station.start()
        reactor.advance(by: .seconds(60))
        let delays = zip(sinks.first?.arrivals ?? [], programme.arrivals(of: blocks)).map { $0 - (began + $1) }
        station.stop()
        return (delays, client.deliveries)
    }
}

extension PacedProgramme {
    /// Each frame as a separate block, sent at the moment at which the frame is ready.
    fileprivate func frameBlocks() -> [PacedClient.Block] {
        frames.enumerated().map { PacedClient.Block(at: end(ofFrame: $0.offset), bytes: $0.element) }
    }
}
