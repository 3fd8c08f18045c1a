// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioFormats
import TestSupport

/// A daemon that is stopped for a minute, as by a laptop's lid, continues: audio that the kernel has buffered is
/// recorded, the rest is one gap, and no storm of timers follows.
struct DaemonAsleep: SoakCase {
    let name = "daemon-asleep"
    let hazard = "E4"

    private static let seconds = 60

    func run(_ plan: SoakPlan) throws -> String {
        let programme = Broadcast([.music(.seconds(240))], MPEGShape(128), seed: plan.seed)
        let run = try DaemonRun(programme)
        let audience = try Audience(3, port: run.port, path: "/a")
        try run.pause(5)
        run.daemon.signal(SIGSTOP)
        try run.pause(Self.seconds)
        let before = try ProcessFigures.processorSeconds(of: run.daemon.pid)
        run.daemon.signal(SIGCONT)
        let began = ContinuousClock.now
        try run.ask(["status"])
        let answered = (ContinuousClock.now - began).inSeconds
        try run.pause(5)
        let spent = try ProcessFigures.processorSeconds(of: run.daemon.pid) - before
        _ = try audience.leave()
        try run.end()
        let names = run.folder.names(in: "recordings").filter { $0.hasSuffix(".mp3") }
        let frames = FrameChecker(programme).check(try names.map { try run.folder.read("recordings/\($0)") })
        let sidecars = try run.folder.names(in: "recordings").filter { $0.hasSuffix(".json") }.map {
            try JSONValue(parsing: run.folder.read("recordings/\($0)"), limit: 8 << 20)
        }
        let gaps = sidecars.reduce(0) { $0 + ($1["gaps"]?.arrayValue?.count ?? 0) }
        try Harm.unless(gaps <= 1 && (gaps == 1 || frames.lost.isEmpty), "\(gaps) gaps: \(frames)")
        try Harm.unless(
            frames.duplicated.isEmpty && frames.foreign == 0 && frames.junkBytes == 0 && frames.disorders == 0,
            "\(frames)")
        try Harm.unless(answered < 2 && spent < 2, "answered after \(answered) s, \(spent) s of the processor")
        return
            "\(gaps) gaps, \(frames.lost.count) frames lost, \((spent * 100).rounded() / 100) s of the processor after it"
    }
}
