// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import TestTools

/// Compares recordings of a healthy hour, as a list that has ended, with those of ffmpeg, frame by frame: as packed audio,
/// transport stream and fragmented MP4.
struct SegmentHour {
    private static let length = Duration.seconds(3600)
    private static let forms: [(name: String, form: HLSRendition.Packaging)] = [
        ("packed", .packed), ("transport stream", .transportStream), ("fragments", .fragments),
    ]

    func run() throws -> [Figure] {
        note("hls-hour")
        let programme = Broadcast.adts(Self.length)
        let checker = FrameChecker(programme)
        return try Self.forms.map { try compare($0.name, $0.form, programme, checker) }
    }

    private func compare(
        _ name: String, _ form: HLSRendition.Packaging, _ programme: Broadcast, _ checker: FrameChecker
    ) throws -> Figure {
        let run = HLSRun { $0.segmentLength = .seconds(6) }
        var rendition = HLSRendition(programme, form, runs: [run], window: .max >> 1)
        rendition.ends = true
        let script = HLSScript(rendition).with { $0.onAir = Self.length + .seconds(10) }
        let reports = try [HLSRecorder.Program.aircheck, .ffmpeg].map { program in
            guard let recorder = try HLSRecorder(program, [("a.test", script)], began: .now) else {
                throw SetupError("\(program.rawValue) is not installed")
            }
            _ = waitUntil(.seconds(240)) {
                let count = (try? recorder.written().reduce(0) { $0 + $1.count }) ?? 0
                return !recorder.isRunning || count >= programme.bytes.count
            }
            recorder.end()
            return try recorder.result(checker, due: []).frames
        }
        let same = zip(reports[0].places, reports[1].places).count { $0 == $1 && $0 != nil }
        let counts = reports.map(\.places.count)
        let wrong = max(counts[0], counts[1], programme.frames.count) - same + reports[0].junkBytes
        return Figure(
            name: "HLS, an hour as \(name): frames unlike ffmpeg's", ours: "\(counts[0]) frames",
            peer: "ffmpeg \(counts[1]) frames", value: Double(wrong), goal: .atMost(0))
    }
}
