// SPDX-License-Identifier: MIT

import EventLoopTesting
import Instants
import RadioCore
import Recorder
import Stations
import TestSupport
import TestTools
import Testing

/// The air times of files that continue another one, after outages of the station and of the disk. The truth is when
/// the first frame in each file was fed.
@Suite("Continued files")
struct ContinuedFileTests {
    @Test("A file that continues another one behind an outage begins when its first frame was on air")
    func behindGaps() throws {
        let broadcast = try BroadcastRig { $0.policy = .none }
        broadcast.play(.seconds(10))
        broadcast.breakOff(for: .milliseconds(16_066))
        broadcast.play(.seconds(10))
        // A full disk loses nothing for a while.
        broadcast.playOnFullDisk(for: .seconds(10))
        broadcast.play(.seconds(20))
        broadcast.playOnFullDisk(for: .seconds(80))
        broadcast.play(.seconds(10))
        broadcast.playOnFullDisk(for: .seconds(10))
        broadcast.play(.seconds(10))
        let report = broadcast.rig.stop()
        #expect(report.gaps.count == 2 && report.frames < Int64(broadcast.rig.fed) - 500, "\(report.gaps)")
        try broadcast.expectTrueTimes(of: report, files: 4)
    }

    @Test("A file that a full disk has delayed beyond an outage begins when its first frame was on air")
    func delayed() throws {
        // The next file is due at 08:28.
        let broadcast = try BroadcastRig { $0.policy = .period(.seconds(120)) }
        broadcast.play(.seconds(90))
        broadcast.rig.system.setRoom(0)
        broadcast.play(.seconds(100))
        broadcast.breakOff(for: .seconds(16))
        broadcast.play(.seconds(10))
        broadcast.rig.system.setRoom(nil)
        broadcast.play(.seconds(10))
        let report = broadcast.rig.stop()
        try broadcast.expectTrueTimes(of: report, files: 4)
    }

    @Test("Audio that a full disk has not taken at the end is missing from when it was on air")
    func missingEnd() throws {
        let broadcast = try BroadcastRig { $0.policy = .none }
        broadcast.play(.seconds(10))
        broadcast.breakOff(for: .seconds(26))
        broadcast.play(.seconds(10))
        broadcast.rig.system.setRoom(0)
        broadcast.play(.seconds(30))
        let report = broadcast.rig.stop()
        let gap = try #require(report.gaps.last)
        let truth = broadcast.airTime(ofFrame: Int(report.frames))
        #expect(report.gaps.count == 2 && abs((gap.at.instant - truth).inSeconds) < 0.002, "\(gap.at) \(truth)")
    }

    @Test("A sidecar that is rewritten once its file is complete is told, and only when it is on the disk")
    func rewritten() throws {
        let rig = try RecorderRig(playing: .seconds(4)) { $0.policy = .period(.seconds(5)) }
        // The first file ends while the disk hangs, and the gap becomes known before it is complete.
        rig.isWriterHanging = true
        rig.play(.seconds(2))
        let gap = Gap(at: RecorderRig.start - .seconds(24), length: .seconds(24), cause: "Aircheck was not running")
        rig.recorder.note(missingBefore: gap)
        let told = Watched<[Int]>([])
        rig.recorder.onNotice = { [unowned rig] notice in
            guard case .rewritten(let path) = notice, let name = path.split(separator: "/").last else { return }
            told.change { $0.append(rig.sidecar(name.dropLast(4) + ".json")?.gaps.count ?? -1) }
        }
        rig.isWriterHanging = false
        rig.play(.seconds(1))
        #expect(told.value.first == 1, "\(told.value)")
        _ = rig.stop()
    }
}

/// A station that tells when each frame was on air.
private final class BroadcastRig {
    let rig: RecorderRig
    /// The first frames after gaps, and their air times.
    private var joins: [(frame: Int, at: WallInstant)]

    init(_ change: (inout RecorderSettings) -> Void) throws {
        rig = try RecorderRig(playing: .zero, change)
        joins = [(0, rig.reactor.wallNow)]
    }

    func play(_ duration: Duration) { rig.play(duration) }

    func playOnFullDisk(for duration: Duration) {
        rig.system.setRoom(0)
        rig.play(duration)
        rig.system.setRoom(nil)
    }

    /// The station is gone for `duration`.
    func breakOff(for duration: Duration) {
        let began = airTime(ofFrame: rig.fed)
        rig.pass(duration)
        joins.append((rig.fed, rig.reactor.wallNow))
        let length = rig.reactor.wallNow - began
        rig.hub.report(.gap(Gap(at: began, length: length, cause: "the server closed the connection")))
        rig.settleAirTime()
    }

    func airTime(ofFrame frame: Int) -> WallInstant {
        let join = joins.last { $0.frame <= frame } ?? joins[0]
        return join.at + .samples(Int64(frame - join.frame) * 1_152, at: 44_100)
    }

    /// Compares the air times of all files, and the times in their names, with those of their first frames.
    func expectTrueTimes(
        of report: RecordingReport, files: Int, at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(report.files.count == files, "\(report.files)", sourceLocation: location)
        for segment in report.segments {
            let name = String(try #require(segment.path.split(separator: "/").last).dropLast(4))
            let first = rig.audio(name + ".mp3").prefix(417).suffix(8).reduce(0) { $0 << 8 | Int($1) }
            let truth = airTime(ofFrame: first)
            let at = try #require(rig.sidecar(name + ".json")?.at)
            #expect(abs((at.instant - truth).inSeconds) < 0.003, "\(name): \(at) \(truth)", sourceLocation: location)
            // A file that begins by the clock is named after the boundary in its first frame.
            let time = name.dropFirst(4).replacing(" ", with: "T").replacing("+0000", with: "Z")
            let parts = time.split(separator: "T")
            let named = try #require(CivilTime(rfc3339: "\(parts[0])T\(parts[1].replacing("-", with: ":"))"))
            #expect(
                (-0.1...1.0).contains((truth - named.instant).inSeconds), "\(name): \(truth)", sourceLocation: location)
        }
    }
}
