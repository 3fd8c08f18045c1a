// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// Measures the quality of recordings when connections break. Aircheck, streamripper and ffmpeg record from one Icecast
/// at the same time, each through its own proxy with the same faults.
///
/// All frames of the programme differ, so each recorded frame has one place, and all other bytes are junk.
struct Outages {
    private static let seconds = 45
    /// The time after which each connection is disturbed.
    private static let soundness = Duration.seconds(8)
    private static let mount = "/station.mp3"
    /// The seconds until the server has a full burst of 64 KiB, which is 4.1 s of audio.
    private static let filling: UInt32 = 6

    /// A kind of fault, with the title of its table and the name of its goal.
    private struct Case {
        let fault: FaultyProxy.Fault
        let title: String
        let name: String
    }

    private static let cases = [
        Case(
            fault: .cut, title: "\(seconds) s, connection cut in mid-frame every 8 s",
            name: "cut every 8 s: lost + duplicated + junk"),
        Case(
            fault: .silence, title: "\(seconds) s, each connection goes silent after 8 s and stays open",
            name: "silent after 8 s: lost + duplicated + junk"),
    ]

    func run() throws -> [Figure] {
        try Self.cases.map(run)
    }

    private func run(_ part: Case) throws -> Figure {
        note("outages: \(part.title)")
        let programme = try ReferenceProgramme(.init(.mp3(128), seconds: Self.seconds + 60))
        let checker = try programme.checker()
        let server = try IcecastServer()
        let feeder = try Feeder(programme, to: server, mount: Self.mount)
        sleep(Self.filling)
        let results = try withExtendedLifetime(feeder) { try record(part.fault, from: server, checker) }
        Table.show(
            part.title, ["program", "lost", "duplicated", "junk bytes", "files", "remark"],
            zip(OutageRecorder.Program.allCases, results).map { $1.cells($0.rawValue) })
        let (ours, streamripper) = (results[0], results[1])
        return Figure(
            name: part.name, ours: "\(ours.flaws)", peer: "streamripper \(streamripper.flaws)",
            value: Double(ours.flaws), goal: .atMost(0))
    }

    /// Runs all recorders at the same time. The results are in the order of the programs, Aircheck's first.
    private func record(
        _ fault: FaultyProxy.Fault, from server: IcecastServer, _ checker: FrameChecker
    ) throws -> [OutageResult] {
        let recorders = try OutageRecorder.Program.allCases.map { program in
            let proxy = try FaultyProxy(to: server.port, fault, after: Self.soundness)
            return try OutageRecorder(program, mount: Self.mount, through: proxy)
        }
        let end = Deadline(after: .seconds(Self.seconds))
        while !end.hasPassed { poll(nil, 0, end.milliseconds) }
        for recorder in recorders { recorder.end() }
        var results = try recorders.map { try $0.result(checker) }
        let first = results.compactMap(\.frames.first).min() ?? 0
        let last = results.compactMap(\.frames.last).max() ?? 0
        for index in results.indices { results[index].compare(with: first...max(first, last)) }
        guard let ours = results.first, ours.faults >= 2, ours.frames.places.count >= Self.leastFrames else {
            throw SetupError("the outages did not come about: \(results.map(\.frames))")
        }
        return results
    }

    /// The least number of frames from a recorder that ran all the time, except at the start. A frame lasts 26 ms.
    private static let leastFrames = (seconds - 2) * 1000 / 27
}
