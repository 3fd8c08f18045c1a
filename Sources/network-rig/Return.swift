// SPDX-License-Identifier: MIT

import Instants
import TestSupport
import TestTools

/// Measures how long the program itself, waiting for a station with an unknown name, takes to connect when a route
/// appears and the name becomes known.
enum Return {
    /// After this time, the program waits more than three seconds between two attempts.
    private static let slowAfter = Duration.seconds(9)

    static func run(program: String) throws {
        let nameServer = try NameServer(.missing)
        let connected = Gate()
        let origin = try ScriptedOrigin([.open(connected), .request, .icyHead(), .send(frames(40)), .stall(Gate())])
        let folder = try TemporaryFolder()
        let recording = try ChildProcess(
            program,
            ["record", "http://station.invalid:\(origin.port)/", "--give-up", "10m", "--json"]
                + ["--output", folder.path])
        let slow = MonotonicInstant.now + slowAfter
        guard nameServer.lastQuestion.wait(within: .seconds(30), for: { $0 > slow ? $0 : nil }) != nil else {
            throw RigError("the program asks no more: \(recording.errorSoFar)")
        }
        // Let the answer and further queries of the same attempt pass.
        _ = nameServer.lastQuestion.wait(within: .milliseconds(300)) { _ in nil as Bool? }
        nameServer.become(.answering)
        let began = MonotonicInstant.now
        // A blackhole route, because it needs no device, which the kernel might lack.
        let outcome = try ChildProcess(.ip, ["route", "add", "blackhole", "192.0.2.1/32"]).wait(within: .seconds(10))
        guard outcome.succeeded else { throw RigError("no route: \(outcome.standardError)") }
        _ = connected.wait(within: .seconds(30))
        let after = origin.acceptTimes.first.map { ($0 - began) / .seconds(1) } ?? 99
        NetworkRig.say("{\"connected_after\": \(after)}")
        recording.kill()
    }
}
