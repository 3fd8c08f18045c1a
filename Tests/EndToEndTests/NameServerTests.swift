// SPDX-License-Identifier: MIT

import Instants
import TestTools
import Testing

/// Name servers that are dead, deny that names exist, or come back. The name server runs in a network namespace of its
/// own. The tests are skipped where the kernel or a container does not allow such a namespace.
@Suite(.enabled(if: NetworkNamespace.isPermitted, "no network namespaces for ordinary users here"))
struct NameServerTests {
    private struct Lookups: Decodable {
        let longestPause: Double
        let gaps: Int
        let secondsHeard: Double
        let isExact: Bool
        let threads: Int
        let memory: Int
        let endedAt: Int64
    }

    /// Each lookup occupies a thread, which waits as long as the C library is configured to: curl's 10 s, or three
    /// times that. So the threads of earlier lookups are still running when a later lookup begins.
    @Test(
        "A12: 64 unanswered names do not disturb other stations, and need a bounded number of threads",
        arguments: [("timeout:2 attempts:5", 2), ("timeout:30 attempts:1", 4)])
    func deadNameServer(options: String, threadsEach: Int) async throws {
        let outcome = try await rig(["lookups"], environment: ["RES_OPTIONS": options])
        let found = try outcome.json(Lookups.self)
        let ending = (outcome.endedAt.nanoseconds - found.endedAt) / 1_000_000
        #expect(found.gaps == 0 && found.isExact, "\(found)")
        #expect(found.secondsHeard > 30, "\(found)")
        #expect(found.longestPause <= 0.1, "\(found)")
        #expect(found.threads <= threadsEach * 64 + 8, "\(found)")
        #expect(found.memory < 32 << 20, "\(found)")
        #expect(ending <= 1_000, "\(found), ended after \(ending) ms")
    }

    private struct Recovery: Decodable {
        let heard: Int
        let nobodyBefore: Bool
        let slowest: Double
    }

    @Test(
        "A12: Stations are back within 5 s after their names resolve again",
        // An unanswered lookup is repeated every 2 s; after a negative answer the station waits for 4.8 s.
        arguments: [("silent", 3.0), ("missing", 5.0)])
    func recovery(mood: String, seconds: Double) async throws {
        let outcome = try await rig(["recovery", mood])
        let found = try outcome.json(Recovery.self)
        #expect(found.nobodyBefore && found.heard == 8 && found.slowest <= seconds, "\(found)")
    }

    private struct Reconnect: Decodable {
        let accepts: Int
        let heardAgainAfter: Double
    }

    @Test("A12: A station whose name no longer resolves is reconnected at its last address")
    func lastAddress() async throws {
        let outcome = try await rig(["reconnect"])
        let found = try outcome.json(Reconnect.self)
        #expect(found.accepts == 2 && found.heardAgainAfter < 3.5, "\(found)")
    }

    @Test("A12: SIGTERM during a name lookup ends the program within 2 s, with nothing recorded")
    func stopping() async throws {
        let folder = try TemporaryFolder()
        let arguments = ["record", "http://station.invalid/", "--json", "--give-up", "10m", "--output", folder.path]
        let program = try NetworkNamespace(nameServers: [NetworkNamespace.silentNameServer])
            .start(try aircheckBinary(), arguments)
        // The program prints this in the loop iteration in which the lookup begins.
        #expect(try await waitUntil(.seconds(20)) { program.errorSoFar.contains("station.invalid") })
        let asked = MonotonicInstant.now
        program.terminate()
        let outcome = try await program.outcome(within: .seconds(20))
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        #expect(outcome.endedAt - asked < .seconds(2))
        #expect(try Report(outcome).files.isEmpty)
    }

    private struct Changes: Decodable {
        let quiet: Bool
        let first: Double
        let count: Int
        let took: Double
    }

    @Test("New routes are reported together after 200 ms, and changes of loopback are not")
    func networkChanges() async throws {
        let outcome = try await rig(["changes"])
        let found = try outcome.json(Changes.self)
        #expect(found.quiet && found.first >= 0.2, "\(found)")
        // Twenty routes are added. There is at most one event for each 200 ms that adding them took.
        #expect(found.count >= 1 && Double(found.count) <= found.took / 0.2 + 1, "\(found)")
    }

    private struct Return: Decodable {
        let connectedAfter: Double
    }

    @Test("A12: A recording that waits for its station retries at once when a route appears")
    func newRoute() async throws {
        let outcome = try await rig(["return", try aircheckBinary()])
        let found = try outcome.json(Return.self)
        // Without the change the station would still wait for at least three seconds; the change is reported after 0.2
        // s.
        #expect(found.connectedAfter >= 0.2 && found.connectedAfter < 2, "\(found)")
    }

    /// Runs the rig in a namespace.
    private func rig(_ arguments: [String], environment: [String: String] = [:]) async throws -> ChildProcess.Outcome {
        let outcome = try await NetworkNamespace()
            .start(try builtBinary("network-rig"), arguments, environment: environment).outcome(within: .seconds(90))
        #expect(outcome.succeeded, "\(outcome.standardError)")
        return outcome
    }
}
