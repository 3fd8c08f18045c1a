// SPDX-License-Identifier: MIT

import RadioFormats
import TestSupport
import TestTools

/// Checks a station whose connection is reset every eight seconds. It is recorded for a minute, with a hundred
/// listeners. A single connection at a time serves all of them, and none misses a frame.
struct Together: SoakCase {
    let name = "together"
    let hazard = "A1"

    private static let seconds = 60
    private static let cut = 8
    private static let listeners = 100

    func run(_ plan: SoakPlan) throws -> String {
        let programme = Broadcast([.music(.seconds(Self.seconds + 60))], MPEGShape(128), seed: plan.seed)
        let stream = LiveStream(programme, faults: [.inFrame(after: .seconds(Self.cut), .reset)])
        let origin = try ScriptedOrigin(LiveScript(.stream(stream)))
        let folder = try TemporaryFolder("aircheck-soak")
        let process = try ChildProcess(
            aircheckBinary(),
            ["record", origin.url("/live"), "--pure", "--segment", "none", "--duration", "\(Self.seconds)s", "--json"]
                + ["--relay", "--listen", "127.0.0.1:0", "--output", folder.path])
        let audience = try Audience(Self.listeners, port: try port(of: process))
        let outcome = try process.wait(within: .seconds(Self.seconds + 60))
        let heard = try audience.leave()
        origin.stop()
        try Harm.unless(outcome.succeeded, "the program ended with \(outcome.ending):\n\(outcome.standardError)")
        let report = try JSONValue(parsing: outcome.standardOutput, limit: 1 << 20)
        let connections = origin.log.accepts.count
        try Harm.unless(origin.log.mostOpen == 1, "\(origin.log.mostOpen) connections at a time")
        try Harm.unless(connections >= Self.seconds / Self.cut, "only \(connections) connections")
        try Harm.unless(report["gaps"]?.arrayValue?.isEmpty == true, "the recording has gaps")
        let checker = FrameChecker(programme)
        let paths = report["files"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let recorded = try expectExact(checker.check(try paths.map { try bytes(ofFile: $0) }), "recorded")
        // No listener may miss the beginning or the end: a new listener waits for the first audio, and all listeners
        // get the last audio before the end.
        let least = try heard.map { try expectExact(checker.check(cutOff: $0.body), "heard") }.min() ?? 0
        return "\(connections) connections, one at a time; \(recorded) frames recorded,"
            + " each of \(heard.count) listeners heard \(least) or more"
    }

    /// The port on which the program listens.
    private func port(of process: ChildProcess) throws -> Int {
        func found() -> Int? {
            process.errorSoFar.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//).flatMap { Int($0.output.1) }
        }
        _ = waitUntil(.seconds(10)) { !process.isRunning || found() != nil }
        guard let port = found() else { throw Harm("the program does not listen:\n\(process.errorSoFar)") }
        return port
    }

    /// Throws unless the frames are one unbroken section of the programme, at most two seconds shorter than the run.
    /// Returns the number of frames.
    private func expectExact(_ frames: FrameReport, _ verb: String) throws -> Int {
        try Harm.unless(frames.isExact, "\(verb): \(frames)")
        let least = (Self.seconds - 2) * 44_100 / 1_152
        try Harm.unless(frames.places.count > least, "\(verb): only \(frames)")
        return frames.places.count
    }
}
