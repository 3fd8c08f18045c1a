// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools

/// The program's recording of a scripted origin.
struct LiveRecording {
    let frames: FrameReport
    let files: Int
    let gaps: Int
    let reconnects: Int
    /// In MiB.
    let peakMemory: Int

    /// Records for this many seconds in real time. The origin starts with the recording.
    init(of programme: Broadcast, _ script: LiveScript, seconds: Int) throws {
        let origin = try ScriptedOrigin(script)
        let folder = try TemporaryFolder("aircheck-soak")
        let process = try ChildProcess(
            aircheckBinary(),
            ["record", origin.url("/live"), "--pure", "--segment", "none", "--duration", "\(seconds)s", "--json"]
                + ["--output", folder.path])
        // Read the memory while the process still runs: the figure of an ended process includes this program's own
        // memory.
        _ = try? process.wait(within: .seconds(seconds - 1))
        peakMemory = (process.peakMemorySoFar ?? .max) >> 20
        let outcome = try process.wait(within: .seconds(61))
        origin.stop()
        try Harm.unless(outcome.succeeded, "the recording ended with \(outcome.ending):\n\(outcome.standardError)")
        let report = try JSONValue(parsing: outcome.standardOutput, limit: 64 << 20)
        let paths = report["files"]?.arrayValue?.compactMap(\.stringValue) ?? []
        frames = FrameChecker(programme).check(try paths.map { try bytes(ofFile: $0) })
        files = paths.count
        gaps = report["gaps"]?.arrayValue?.count ?? 0
        reconnects = Int(report["reconnects"]?.integerValue ?? 0)
    }

    /// Throws unless the recording is one contiguous stretch of the programme in one file.
    func expectExact(seconds: Int) throws {
        try Harm.unless(frames.isExact, "\(frames)")
        try Harm.unless(files == 1 && gaps == 0, "\(files) files, \(gaps) gaps")
        let least = seconds * 1000 / 30
        try Harm.unless(frames.places.count > least, "only \(frames.places.count) frames")
    }
}
