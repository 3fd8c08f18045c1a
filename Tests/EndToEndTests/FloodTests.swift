// SPDX-License-Identifier: MIT

import Glibc
import Instants
import TestSupport
import TestTools
import Testing

/// Servers that send the worst input for each parser, as fast as the client reads.
struct FloodTests {
    /// The longest permitted pause of the loop, in seconds. The limit of the release build is the one that is promised;
    /// without optimisation the same work takes several times as long.
    #if DEBUG
        private static let longestPause = 0.4
    #else
        private static let longestPause = 0.1
    #endif

    @Test("H11: A station beside all floods loses nothing, and the loop never stalls for more than 100 ms")
    func beside() async throws {
        let outcome = try await ChildProcess(builtBinary("network-rig"), ["floods", "5"]).outcome(within: .seconds(60))
        #expect(outcome.succeeded, "\(outcome.standardError)")
        let found = try FloodReport(outcome.standardOutput)
        #expect(found.isExact && found.gaps == 0 && found.secondsHeard > 4, "\(found)")
        // Floods that break off send a burst on each connection, and wait for the next one.
        #expect(found.sent.allSatisfy { $0 > 100_000 }, "\(found)")
        // Every run counts. The rig subtracts the time for which the whole machine stood still, as measured by a thread
        // beside the loop.
        #expect(found.longestPause <= Self.longestPause, "\(found)")
    }

    @Test(
        "H12: SIGTERM takes effect within a second under each flood, and no unfinished file is left",
        arguments: Flood.allCases, [false, true])
    func stopping(_ flood: Flood, isRelay: Bool) async throws {
        let origin = try ScriptedOrigin(flood.script)
        let folder = try TemporaryFolder()
        let options = isRelay ? ["--listen", "127.0.0.1:0"] : ["--json", "--output", folder.path]
        let child = try Aircheck.start([isRelay ? "relay" : "record", origin.url()] + options)
        #expect(try await waitUntil(.seconds(60)) { origin.log.sentBytes > 500_000 })
        let memory = ProcessStatus(of: child.pid)?.anonymousMemory ?? .max
        #expect(memory < 32 << 20)
        let asked = MonotonicInstant.now
        let outcome = try await child.outcome(after: SIGTERM, within: .seconds(60))
        #expect(outcome.endedAt - asked < .seconds(1))
        #expect(outcome.ending == .exited(0), "\(outcome.standardError)")
        #expect(try folder.contents().allSatisfy { !$0.hasSuffix(".part") && !$0.hasSuffix(".tmp") })
    }
}
