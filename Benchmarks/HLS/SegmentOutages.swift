// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import TestTools

/// Measures recordings of stations in HLS whose server answers nothing for a while: shorter than the list is long;
/// longer, while another server has a longer list; and longer without another server. And of stations without segments
/// whose server is away, while another server has a list of the programme: from the same encoder, and from another one.
struct SegmentOutages {
    private struct Case {
        let name: String
        let window: Int
        let outage: Duration
        /// The length of the list from which Aircheck heals, in segments.
        var healing: Int?
        /// Whether no list has the frames any more, or another encoder's instead.
        var isLost = false
        /// Whether the station has no segments.
        var isLive = false
    }

    private static let cases = [
        Case(name: "outage of 20 s, window of 60 s", window: 60, outage: .seconds(20)),
        Case(
            name: "a station without segments, away for 60 s, list of its frames", window: 600, outage: .seconds(60),
            healing: 600, isLive: true),
        Case(
            name: "a station without segments, away for 60 s, list of another encoder", window: 600,
            outage: .seconds(60), healing: 600, isLost: true, isLive: true),
        Case(
            name: "outage of 5 min, window of 60 s, list of 30 min to heal", window: 60, outage: .seconds(300),
            healing: 1800),
        Case(name: "outage of 5 min, window of 60 s", window: 60, outage: .seconds(300), isLost: true),
    ]
    private static let (onAir, begin) = (Duration.seconds(60), Duration.seconds(75))
    /// The time after the return at which a recording must be complete, and how long before that frames must be listed.
    private static let (rest, patience) = (Duration.seconds(30), Duration.seconds(6))

    private struct Running {
        let what: Case
        let recorders: [HLSRecorder.Program: HLSRecorder]
        let end: Deadline
    }

    private struct Programmes {
        let sent: Broadcast
        /// The same from another encoder.
        let other: Broadcast
    }

    func run() throws -> [Figure] {
        note("hls: outages")
        let programmes = try Programmes(
            sent: Broadcast(ReferenceProgramme(.init(.mp3(128), seconds: 420))),
            other: Broadcast(ReferenceProgramme(.init(.mp3(128), seconds: 420, usesReservoir: false))))
        let start = MonotonicInstant.now
        let running = try Self.cases.map { what in
            let (servers, live) = Self.servers(what, programmes)
            let recorders = try HLSRecorder.Program.allCases.compactMap { program in
                try HLSRecorder(program, servers, live: live, began: start, heals: what.healing != nil).map {
                    (program, $0)
                }
            }
            return Running(
                what: what, recorders: Dictionary(uniqueKeysWithValues: recorders),
                end: Deadline(after: Self.end(what) - Self.onAir))
        }
        return try running.map { running in
            while !running.end.hasPassed { poll(nil, 0, running.end.milliseconds) }
            for recorder in running.recorders.values { recorder.end() }
            return try figure(running, programmes.sent)
        }
    }

    private static func end(_ what: Case) -> Duration { begin + what.outage + rest }

    private static func servers(
        _ what: Case, _ programmes: Programmes
    ) -> (servers: [(host: String, script: HLSScript)], live: LiveScript?) {
        func list(_ programme: Broadcast, _ window: Int, _ faults: [HLSFault] = []) -> HLSScript {
            HLSScript(HLSRendition(programme, .packed, window: window), faults: faults).with { $0.onAir = onAir }
        }
        if what.isLive {
            let absence = LiveScript.Absence(begin - onAir, for: what.outage, .gone)
            let live = LiveScript(.stream(LiveStream(programmes.sent)), absences: [absence], onAir: onAir)
            return ([("b.test", list(what.isLost ? programmes.other : programmes.sent, what.window))], live)
        }
        let away = HLSFault.everything(during: begin..<(begin + what.outage), .status(503))
        let other = what.healing.map { ("b.test", list(programmes.sent, $0)) }
        return ([("a.test", list(programmes.sent, what.window, [away]))] + (other.map { [$0] } ?? []), nil)
    }

    private func figure(_ running: Running, _ programme: Broadcast) throws -> Figure {
        let (what, checker) = (running.what, FrameChecker(programme))
        let due = HLSRendition(programme, .packed, window: what.window)
            .places(listedIn: Self.onAir..<(Self.end(what) - Self.patience))
        let results = try running.recorders.mapValues { try $0.result(checker, due: due) }
        Table.show(
            what.name, ["program", "frames", "lost", "twice", "undated", "requests", "remark"],
            HLSRecorder.Program.allCases.map { program in
                [program.rawValue] + (results[program]?.cells ?? ["", "", "", "", "", "not installed"])
            })
        let peers = HLSRecorder.Program.allCases.dropFirst().map { program in
            "\(program.rawValue) " + (results[program].map { "\($0.flaws)" } ?? "–")
        }
        let peer = peers.joined(separator: ", ")
        guard let ours = results[.aircheck] else { throw SetupError("aircheck has not run") }
        guard what.isLost else {
            return Figure(
                name: "HLS, \(what.name): flaws 30 s after it", ours: "\(ours.flaws)", peer: peer,
                value: Double(ours.flaws), goal: .atMost(0))
        }
        let error = ours.gaps.count == 1 ? (ours.gaps[0] - Double(ours.lost)).magnitude : .infinity
        return Figure(
            name: "HLS, \(what.name): error of the gap's length, frames", ours: decimal(error),
            peer: peer, value: error + Double(ours.flaws - ours.lost), goal: .atMost(1))
    }
}
