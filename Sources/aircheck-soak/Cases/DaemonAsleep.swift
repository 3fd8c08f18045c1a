// SPDX-License-Identifier: MIT

import Glibc
import Instants
import RadioFormats
import TestSupport
import TestTools

/// Checks a daemon that is stopped for ten minutes, as when a laptop's lid is closed. Afterwards the daemon continues:
/// it records the audio that the kernel has buffered, the rest is one gap, and no storm of timers follows. Listeners
/// are disconnected, or continue after that gap.
struct DaemonAsleep: SoakCase {
    let name = "daemon-asleep"
    let hazard = "E4"

    private static let seconds = 600
    /// The seconds after which the station closes a connection that is not read.
    private static let patience = 60

    func run(_ plan: SoakPlan) throws -> String {
        let programme = Broadcast([.music(.seconds(Self.seconds + 180))], MPEGShape(128), seed: plan.seed)
        let run = try DaemonRun(programme, faults: [.at(.seconds(Self.patience), .close)])
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
        let listeners = try audience.leave()
        try run.end()
        let names = run.folder.names(in: "recordings").filter { $0.hasSuffix(".mp3") }
        let checker = FrameChecker(programme)
        let frames = checker.check(try names.map { try run.folder.read("recordings/\($0)") })
        let sidecars = try run.folder.names(in: "recordings").filter { $0.hasSuffix(".json") }.map {
            try JSONValue(parsing: run.folder.read("recordings/\($0)"), limit: 8 << 20)
        }
        let gaps = sidecars.flatMap { $0["gaps"]?.arrayValue ?? [] }
        let length = gaps.first?["seconds"]?.doubleValue ?? 0
        let lost = Double(frames.lost.count) * 1_152 / 44_100
        try Harm.unless(gaps.count == 1 && abs(length - lost) < 1, "\(gaps): \(frames)")
        try Harm.unless(lost > Double(Self.seconds - 2 * Self.patience), "\(lost) s lost: \(frames)")
        try Harm.unless(
            frames.duplicated.isEmpty && frames.foreign == 0 && frames.junkBytes == 0 && frames.disorders == 0,
            "\(frames)")
        for listener in listeners {
            // Foreign frames are allowed here: they are the silence that a listener gets during the pause.
            let heard = checker.check(cutOff: listener.body)
            try Harm.unless(
                heard.duplicated.isEmpty && heard.junkBytes == 0 && heard.disorders == 0 && !heard.places.isEmpty,
                "a listener received \(heard)")
        }
        try Harm.unless(answered < 2 && spent < 2, "answered after \(answered) s, \(spent) s of the processor")
        let went = listeners.count { $0.isConnected }
        return
            "one gap of \(Int(length)) s, \((spent * 100).rounded() / 100) s of the processor after it, "
            + "\(went) of \(listeners.count) listeners stayed connected"
    }
}
