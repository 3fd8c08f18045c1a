// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import TestTools
import Testing

/// How long a frame takes through the whole program.
struct LatencyTests {
    @Test("With --output - a frame is on standard output 50 ms after it reaches curl")
    func standardOutput() async throws {
        let programme = Broadcast([.music(.seconds(60))])
        var stream = LiveStream(programme)
        // The station sends each frame on its own as soon as the frame is whole.
        (stream.block, stream.burstBeginsWithFrame) = (1, true)
        let script = LiveScript(.stream(stream))
        let origin = try ScriptedOrigin(script)
        // The machine is busy with other tests: what curl, beside it, gets late as well is not the program's delay.
        async let peer = Arrivals.ofOutput(
            try Tool.curl.path(), ["--silent", "--no-buffer", "--max-time", "13", origin.url("/live")])
        let (arrivals, outcome) = try await Arrivals.ofOutput(
            try aircheckBinary(), ["record", origin.url("/live"), "--output", "-", "--duration", "12s"])
        #expect(outcome.succeeded)

        let latencies = try arrivals.latencies(of: programme, from: origin, script)
        let usual = try await peer.0.latencies(of: programme, from: origin, script)
        #expect(latencies.all.count > 200 && usual.all.count > 200)
        #expect(latencies.within(95) <= usual.within(95) + .milliseconds(50), "\(latencies), curl: \(usual)")
        #expect(latencies.within(99) <= usual.within(99) + .milliseconds(250), "\(latencies), curl: \(usual)")
    }

    @Test(
        "A listener gets a frame at its next flush, at most 0.2 s late, with and without a burst",
        arguments: [("/live", Duration.seconds(1)), ("/live?burst=0", .seconds(1) / 16)])
    func relay(path: String, interval: Duration) async throws {
        let programme = Broadcast([.music(.seconds(90))])
        let stream = LiveStream(programme, block: 1)
        let script = LiveScript(.stream(stream))
        let origin = try ScriptedOrigin(script)
        let relay = try await Relaying([origin.url("/live")])
        try await relay.waitForAudio()
        let (arrivals, _) = try await Arrivals.ofOutput(
            try Tool.curl.path(), ["--silent", "--no-buffer", "--max-time", "12", relay.url(path)])
        let latencies = try arrivals.latencies(of: programme, from: origin, script)
        #expect(latencies.all.count > 200)
        #expect(latencies.within(95) <= interval + .milliseconds(200), "\(latencies)")
        // Here, too, a frame in a hundred may have waited for a processor.
        #expect(latencies.within(99) <= interval + .milliseconds(400), "\(latencies)")
    }
}

/// The bytes that came out of a pipe, and the times at which they came.
private struct Arrivals {
    private(set) var bytes: [UInt8] = []
    private var times: [(end: Int, at: MonotonicInstant)] = []

    /// Reads to the end. Blocks.
    init(from descriptor: CInt) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes += buffer.prefix(count)
            times.append((bytes.count, .now))
        }
    }

    /// Everything that a program writes to its standard output until it ends.
    static func ofOutput(_ path: String, _ arguments: [String]) async throws -> (Arrivals, ChildProcess.Outcome) {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        let child = try ChildProcess(path, arguments, output: writing)
        close(writing)
        let arrivals = try await onThread { Arrivals(from: reading) }
        return (arrivals, try await child.outcome(within: .seconds(60)))
    }

    /// The time that each frame took from the moment at which the station had sent all of it.
    ///
    /// Only the steady state counts: frames of the burst and of the second after it are left out.
    func latencies(of programme: Broadcast, from origin: ScriptedOrigin, _ script: LiveScript) throws -> Latencies {
        let stretch = try #require(FrameChecker(programme).check(cutOff: bytes).exactStretch)
        let began = try #require(times.first?.at)
        var end = 0
        var latencies: [Duration] = []
        for frame in programme.frames[stretch] {
            end += frame.bytes.count
            let sent = origin.began + (frame.start + frame.length - script.onAir)
            if sent - max(began, origin.began) > .seconds(2) { latencies.append(time(ofByte: end - 1) - sent) }
        }
        return Latencies(all: latencies.sorted())
    }

    func time(ofByte offset: Int) -> MonotonicInstant {
        times.first { $0.end > offset }?.at ?? .now
    }
}

private struct Latencies: CustomStringConvertible {
    /// The latencies in ascending order.
    let all: [Duration]

    func within(_ percent: Int) -> Duration { all.isEmpty ? .zero : all[all.count * percent / 100] }

    var description: String { "\([50, 95, 99].map(within)), most \(String(describing: all.last))" }
}
