// SPDX-License-Identifier: MIT

import Configuration
import Instants
import RadioCore
import RadioFormats
import TestSupport
import TestTools
import Testing

@testable import Daemon

/// Ten minutes during which the daemon does not run. Either the process was stopped while all clocks continued, or the
/// machine was suspended. In the second case the monotonic clock stood still as well (`CLOCK_MONOTONIC`), and only the
/// wall clock is ten minutes ahead.
struct SleepTests {
    private static let broadcast = Broadcast([.music(.seconds(800))], MPEGShape(48))
    private static let sleep = 600.0

    private static func configuration(_ rig: DaemonRig) throws -> Configuration {
        try rig.configuration([DaemonRig.station("fip", record: .always)])
    }

    private static let frameLength = 1152.0 / 44_100

    /// Ends the daemon. Expects one file with one missing stretch of frames, and one gap at the place of that stretch.
    /// Returns the sidecar, and how many seconds are missing.
    private static func end(
        _ rig: DaemonRig, at location: SourceLocation = #_sourceLocation
    ) throws -> (sidecar: Sidecar, lost: Double) {
        rig.daemon.stop()
        rig.run(1)
        #expect(rig.files.count == 1, "\(rig.files)", sourceLocation: location)
        let name = try #require(rig.files.first)
        let frames = FrameChecker(broadcast).check(try rig.audio(name))
        expectOrder(frames, at: location)
        #expect(frames.foreign == 0 && frames.junkBytes == 0, "\(frames)", sourceLocation: location)
        let first = try #require(frames.lost.first, "\(frames)")
        #expect(frames.lost == Array(first..<first + frames.lost.count), "\(frames)", sourceLocation: location)
        let lost = Double(frames.lost.count) * frameLength
        #expect(lost > sleep - 40, "\(lost)", sourceLocation: location)
        let sidecar = try #require(Sidecar(parsing: try rig.folder.read("recordings/\(name.dropLast(4)).json")))
        #expect(sidecar.gaps.count == 1, "\(sidecar.gaps)", sourceLocation: location)
        #expect(sidecar.gaps.first?.position == Int64(first - (frames.first ?? 0)), sourceLocation: location)
        return (sidecar, lost)
    }

    private static func expectOrder(_ frames: FrameReport, at location: SourceLocation = #_sourceLocation) {
        #expect(frames.duplicated.isEmpty && frames.disorders == 0, "\(frames)", sourceLocation: location)
    }

    /// The frames that a listener received.
    private static func heard(_ client: LoopbackClient) throws -> FrameReport {
        let received = client.collect().received
        let head = try #require(received.firstRange(of: Array("\r\n\r\n".utf8)))
        return FrameChecker(broadcast).check(cutOff: Array(received[head.upperBound...]))
    }

    @Test("E4: A process that stood still for ten minutes has one gap, and its timers fire once")
    func stoppedProcess() throws {
        // For half a minute the kernel accepts what the server sends. Then the server closes the connection.
        let stream = LiveStream(Self.broadcast, burst: 24_000)
        var first = stream
        first.faults = [
            .at(.seconds(30), .stall), .at(.seconds(629), .resume), .afterBytes(24_000 + 60 * 6_000, .close),
        ]
        let rig = try DaemonRig(["fip": LiveScript(.stream(first), .stream(stream))])
        let socket = try NotifySocket(in: rig.folder)
        let manager = ServiceManager(
            ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "3000000"], pid: 1, reactor: rig.reactor)
        manager.started()
        rig.apply(try Self.configuration(rig), for: 20)
        let listener = rig.listen("fip")
        var before = rig.reactor.timersFired
        rig.run(10) { listener.collect() }
        let usual = rig.reactor.timersFired - before
        _ = socket.messages()

        before = rig.reactor.timersFired
        rig.standStill(.seconds(Self.sleep))
        // The watchdog is due each second, but after the sleep it is fed only once.
        #expect(socket.messages() == ["WATCHDOG=1"])
        let atOnce = rig.reactor.timersFired - before
        before = rig.reactor.timersFired
        rig.run(10) { listener.collect() }
        let later = rig.reactor.timersFired - before
        #expect(atOnce < usual && later < usual * 3 / 2, "in ten seconds \(usual), at once \(atOnce), then \(later)")

        rig.run(20) { listener.collect() }
        let heard = try Self.heard(listener)
        Self.expectOrder(heard)
        #expect(listener.end == nil && heard.lost.count > 20_000, "\(heard)")
        let (sidecar, lost) = try Self.end(rig)
        let length = Double(sidecar.gaps.first?.milliseconds ?? 0) / 1_000
        #expect(abs(length - lost) < 0.5, "\(sidecar.gaps), \(lost) s")
    }

    @Test("E4: A machine that was suspended for ten minutes has one gap, and later audio is dated right")
    func suspendedMachine() throws {
        // The connection is lost without notice just before the suspension.
        let title = Self.broadcast.frames.count * 7 / 8
        let titled = Self.broadcast.title("After", from: title)
        let script = LiveScript { visit in
            var stream = LiveStream(titled, burst: 24_000, interval: 4_000)
            if visit.number == 0 {
                stream.faults = [.at(.seconds(30), .stall)]
            } else {
                stream.lag = .seconds(-Self.sleep)
            }
            return .stream(stream)
        }
        let rig = try DaemonRig(["fip": script])
        rig.apply(try Self.configuration(rig), for: 20)
        let listener = rig.listen("fip")
        rig.run(10)
        rig.run(0.5)
        rig.stepClock(by: .seconds(Self.sleep))
        rig.run(60) { listener.collect() }
        let heard = try Self.heard(listener)
        Self.expectOrder(heard)
        #expect(listener.end == nil && heard.lost.count > 20_000, "\(heard)")
        let (sidecar, _) = try Self.end(rig)
        // The monotonic clock did not count the suspension, so the length of the gap is unknown.
        #expect(sidecar.gaps.first?.milliseconds == nil)
        let aired = rig.began + .seconds(Double(title) * Self.frameLength - 40)
        let told = try #require(sidecar.titles.last)
        #expect(told.text == "After" && abs((told.at.instant - aired).inSeconds) < 1, "\(told) \(aired)")
    }
}
