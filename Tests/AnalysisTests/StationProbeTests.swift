// SPDX-License-Identifier: MIT

import Analysis
import Instants
import RadioFormats
import Testing

@testable import RadioCore

/// What a probe finds out about a station, and when it is done.
struct StationProbeTests {
    private let probe = StationProbe()

    private let format = StreamFormat(codec: .mp3, mpegVersion: .mpeg1, sampleRate: 44_100, channels: 2)

    @Test("A probe of a live station is done after some seconds of audio and a settled air time") func liveStation() {
        var isDone = false
        probe.onDone = { isDone = true }
        begin(probe, .live)
        probe.receive(.title(StreamTitle(text: "A song", position: Position())))
        probe.receive(.airTime(airTime(isSettled: false)))
        play(probe, seconds: 4)
        #expect(!isDone, "the burst may go on")
        probe.receive(.airTime(airTime(isSettled: true)))
        #expect(isDone)
        #expect(probe.isDone && probe.format == format && probe.title == "A song")
        #expect(probe.info?.name == "Radio" && probe.failure == nil)
    }

    @Test("A probe whose air time settles early still waits for the audio that follows") func earlyAirTime() {
        begin(probe, .live)
        play(probe, seconds: 1)
        probe.receive(.airTime(airTime(isSettled: true)))
        #expect(!probe.isDone)
        play(probe, seconds: 3)
        #expect(probe.isDone, "nothing more is told once the air time has settled")
    }

    @Test("A probe of a file is done after twenty seconds of audio") func file() {
        begin(probe, .finite)
        play(probe, seconds: 19)
        #expect(!probe.isDone)
        play(probe, seconds: 2)
        #expect(probe.isDone)
        let seen = probe.seen
        play(probe, seconds: 2)
        #expect(probe.seen == seen)
    }

    @Test("A probe is done when the station ends, and reports it once") func stationEnds() {
        var calls = 0
        probe.onDone = { calls += 1 }
        begin(probe, .live)
        let failure = Failure(.refused, "refused", remedy: "try later")
        probe.receive(.ended(failure))
        probe.finish()
        #expect(calls == 1)
        #expect(probe.failure == failure)
    }

    @Test("A station that closes its connection after two seconds is not taken for a file") func shortConnection() {
        begin(probe, .live)
        play(probe, seconds: 2)
        probe.receive(.ended(nil))
        #expect(probe.isDone && probe.info?.kind == .live && probe.failure == nil)
    }

    @Test("A station that fails while it is probed is still reported as live") func stationFails() {
        begin(probe, .live)
        play(probe, seconds: 2)
        probe.receive(.ended(Failure(.dropped, "dropped", remedy: "wait")))
        #expect(probe.isDone && probe.info?.kind == .live)
    }

    private func begin(_ probe: StationProbe, _ kind: SourceKind) {
        probe.receive(.station(StationInfo(kind: kind, name: "Radio", url: "http://radio.example/")))
        probe.receive(.format(format, at: Position()))
        probe.receive(.discontinuity(Discontinuity(kind: .firstJoin, position: Position())))
    }

    private func play(_ probe: StationProbe, seconds: Int) {
        for _ in 0..<seconds { probe.receive(.chunk(Chunks.chunk(sizes: Array(repeating: 417, count: 39)))) }
    }

    private func airTime(isSettled: Bool) -> AirTime {
        AirTime(origin: WallInstant(nanoseconds: 0), sampleRate: 44_100, isSettled: isSettled)
    }
}
