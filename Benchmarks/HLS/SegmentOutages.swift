// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import TestTools

/// Measures recordings of stations in HLS whose server answers nothing for a while: shorter than the list is long;
/// longer, while another server has a longer list; and longer without another server.
struct SegmentOutages {
    private struct Case {
        let name: String
        let window: Int
        let outage: Duration
        /// The length of the list from which Aircheck heals, in segments.
        var healing: Int?
        /// What no list has any more.
        var isLost = false
    }

    private static let cases = [
        Case(name: "outage of 20 s, window of 60 s", window: 60, outage: .seconds(20)),
        Case(
            name: "outage of 5 min, window of 60 s, list of 30 min to heal", window: 60, outage: .seconds(300),
            healing: 1800),
        Case(name: "outage of 5 min, window of 60 s", window: 60, outage: .seconds(300), isLost: true),
    ]
    private static let begin = Duration.seconds(75)
    /// The time after the return at which a recording must be complete, and how long before that frames must be listed.
    private static let (rest, patience) = (Duration.seconds(30), Duration.seconds(6))

    private struct Running {
        let what: Case
        let servers: [(host: String, script: HLSScript)]
        let recorders: [HLSRecorder.Program: HLSRecorder]
        let end: Deadline
    }

    func run() throws -> [Figure] {
        note("hls: outages")
        let programme = try Broadcast(ReferenceProgramme(.init(.mp3(128), seconds: 420)))
        let start = MonotonicInstant.now
        let running = try Self.cases.map { what in
            let servers = Self.servers(what, programme)
            let recorders = try HLSRecorder.Program.allCases.compactMap { program in
                try HLSRecorder(program, servers, began: start, heals: what.healing != nil).map { (program, $0) }
            }
            let end = Deadline(after: Self.end(what) - servers[0].script.onAir)
            return Running(
                what: what, servers: servers, recorders: Dictionary(uniqueKeysWithValues: recorders), end: end)
        }
        return try running.map { running in
            while !running.end.hasPassed { poll(nil, 0, running.end.milliseconds) }
            for recorder in running.recorders.values { recorder.end() }
            return try figure(running, FrameChecker(programme))
        }
    }

    private static func end(_ what: Case) -> Duration { begin + what.outage + rest }

    private static func servers(_ what: Case, _ programme: Broadcast) -> [(host: String, script: HLSScript)] {
        let away = HLSFault.everything(during: begin..<(begin + what.outage), .status(503))
        let first = HLSScript(HLSRendition(programme, .packed, window: what.window), faults: [away])
        let other = what.healing.map { ("b.test", HLSScript(HLSRendition(programme, .packed, window: $0))) }
        return [("a.test", first)] + (other.map { [$0] } ?? [])
    }

    private func figure(_ running: Running, _ checker: FrameChecker) throws -> Figure {
        let (what, script) = (running.what, running.servers[0].script)
        let due = script.variants[0].rendition.places(listedIn: script.onAir..<(Self.end(what) - Self.patience))
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
