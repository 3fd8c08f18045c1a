// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import Recorder
import Stations
import TestSupport
import TestTools
import Testing

/// Cuts by the clock, from the server's bytes to the files, in virtual time.
struct ClockCutTests {
    private static let period = 5
    /// The time from a full minute to the beginning of the connection.
    private static let offset = Duration.milliseconds(2_500)

    @Test("A file begins with the frame that was on air at the boundary", arguments: [32, 128, 320], [0, 64, 512])
    func boundary(rate: Int, burst kibibytes: Int) throws {
        let burst = kibibytes * 1_024
        let onAir = Duration.seconds(burst * 8 / (rate * 1_000) + 3)
        let programme = Broadcast([.music(onAir + .seconds(45))], MPEGShape(rate, isMono: rate == 32))
        let rig = try RecorderRig {
            $0.policy = .period(.seconds(Self.period))
            $0.isPure = true
            $0.writesSidecars = false
        }
        // The connection does not begin at a boundary.
        rig.pass(Self.offset)
        let script = LiveScript(.stream(LiveStream(programme, burst: burst)), onAir: onAir)
        let origin = VirtualOrigin(script, reactor: rig.reactor)
        let station = Programme(
            settings: StationSettings(urls: ["http://radio.test/live"], userAgent: "Aircheck/test", seed: 1),
            client: origin, reactor: rig.reactor)
        station.hub.attach(rig.recorder)
        station.start()
        rig.pass(.seconds(40))
        station.stop()
        rig.pass(.seconds(1))
        _ = rig.stop()

        let places = Dictionary(
            programme.frames.enumerated().map { (Array($0.element.bytes.prefix(100)), $0.offset) },
            uniquingKeysWith: { first, _ in first })
        let files = rig.names.filter { $0.hasSuffix(".mp3") }
        let starts = try files.map { name in
            let head = try #require(rig.folder.content(of: name)).prefix(100)
            let place = try #require(places[Array(head)], "\(name)")
            let frame = programme.frames[place]
            let start = frame.start - onAir + Self.offset
            return start..<start + frame.length
        }
        // The first file begins where the burst does.
        let first = try #require(starts.first).lowerBound.inSeconds
        #expect(abs(first - Self.offset.inSeconds + Double(burst * 8) / Double(rate * 1_000)) < 0.5)
        let boundaries = stride(
            from: Int((first / Double(Self.period)).rounded(.up)) * Self.period, to: 42, by: Self.period)
        #expect(starts.count - 1 == Array(boundaries).count, "\(files)")
        for (start, boundary) in zip(starts.dropFirst(), boundaries) {
            let wanted = Duration.seconds(boundary)
            let error = max(start.lowerBound - wanted, wanted - start.upperBound, .zero)
            #expect(error <= .milliseconds(50), "\(boundary): \(error)")
        }
    }
}
