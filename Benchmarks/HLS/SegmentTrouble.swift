// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import TestTools

/// Measures recordings of stations in HLS with segments of one second, while servers do what servers do: twenty times
/// each trouble. Aircheck, ffmpeg and streamlink record at the same time, each from servers of its own.
struct SegmentTrouble {
    /// The cases that run at the same time.
    private static let width = 6
    private static let times = HLSTrouble.Times()
    /// The time after the last trouble in which a recorder may catch up.
    private static let rest = Duration.seconds(20)
    /// Frames are due if they were listed for this long before the end.
    private static let patience = Duration.seconds(6)

    /// The segments have AAC if they are fragments, otherwise MP3.
    let form: HLSRendition.Packaging

    func run() throws -> [Figure] {
        let cases = HLSTrouble.allCases
        return try stride(from: 0, to: cases.count, by: Self.width).flatMap { first in
            try run(Array(cases[first..<min(first + Self.width, cases.count)]))
        }
    }

    /// What runs for a case.
    private struct Running {
        let trouble: HLSTrouble
        let programme: Broadcast
        let servers: [(host: String, script: HLSScript)]
        let recorders: [HLSRecorder.Program: HLSRecorder]
    }

    private func run(_ cases: [HLSTrouble]) throws -> [Figure] {
        note("hls: \(cases.map(\.rawValue).joined(separator: "; "))")
        let times = Self.times
        let length = times.begin + times.every * times.count + Self.rest
        let seconds = Int(length.components.seconds) + 10
        let whole =
            try form == .fragments
            ? .adts(.seconds(seconds)) : Broadcast(ReferenceProgramme(.init(.mp3(128), seconds: seconds)))
        let start = MonotonicInstant.now
        let running = try cases.map { trouble in
            let programme = trouble.programme(whole, times)
            let servers = trouble.servers(programme, form, times)
            let recorders = try HLSRecorder.Program.allCases.compactMap { program in
                try HLSRecorder(program, servers, began: start).map { (program, $0) }
            }
            return Running(
                trouble: trouble, programme: programme, servers: servers,
                recorders: Dictionary(uniqueKeysWithValues: recorders))
        }
        let end = Deadline(after: length - running[0].servers[0].script.onAir)
        while !end.hasPassed { poll(nil, 0, end.milliseconds) }
        for recorder in running.flatMap(\.recorders.values) { recorder.end() }
        return try running.map { try figure($0, until: length) }
    }

    private func figure(_ running: Running, until end: Duration) throws -> Figure {
        let checker = FrameChecker(running.programme)
        let script = running.servers[0].script
        let due = script.variants[0].rendition.places(listedIn: script.onAir..<(end - Self.patience))
        let results = try running.recorders.mapValues { try $0.result(checker, due: due) }
        Table.show(
            "\(running.trouble)", ["program", "frames", "lost", "twice", "undated", "requests", "remark"],
            HLSRecorder.Program.allCases.map { program in
                [program.rawValue] + (results[program]?.cells ?? ["", "", "", "", "", "not installed"])
            })
        let peers = HLSRecorder.Program.allCases.dropFirst().map { program in
            "\(program.rawValue) " + (results[program].map { "\($0.flaws)" } ?? "–")
        }
        let ours = results[.aircheck]?.flaws ?? .max
        return Figure(
            name: "HLS, \(running.trouble.rawValue): lost + twice + undated", ours: "\(ours)",
            peer: peers.joined(separator: ", "), value: Double(ours), goal: .atMost(0))
    }
}
