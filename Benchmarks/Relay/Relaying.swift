// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// Measures the cost and quality of service for thousands of listeners. Aircheck and Icecast run one after the other,
/// each alone on its core, and relay the same studio. The load generator is the same for both and runs on the other
/// cores.
struct Relaying {
    let sizes: [Int]
    let seconds: Int

    /// The time of a run beyond the measurement, in seconds: the server starts and fills its buffers, and the last
    /// listeners connect.
    private static let overhead = 130
    /// The maximum number of runs, if other virtual machines use the host in the meantime.
    private static let attempts = 3
    /// The tolerated stolen time while listeners join or in the window, as a share of one core. Half a second at a bad
    /// moment can determine the first byte's 99th percentile.
    private static let tolerableTheft = 0.01
    /// The seconds between two titles.
    private static let titleInterval = 7

    func run() throws -> [Figure] {
        let cores = Cores()
        try raiseDescriptorLimit(toAtLeast: (sizes.max() ?? 0) + 256)
        return try cores.onOthers {
            var rows: [[String]] = []
            var figures: [Figure] = []
            for listeners in sizes {
                var pairs: [RelayPair] = []
                for wantsMetadata in [false, true] {
                    let pair = try measure(listeners, wantsMetadata, cores)
                    rows += pair.rows(listeners: listeners, wantsMetadata: wantsMetadata)
                    pairs.append(pair)
                }
                figures += RelayPair.figures(listeners: listeners, pairs)
            }
            Table.show("\(seconds) s of 128 kbit/s, each server alone on a core", RelayPair.head, rows)
            return figures
        }
    }

    /// Measures both servers, one after the other, with the same studio.
    private func measure(_ listeners: Int, _ wantsMetadata: Bool, _ cores: Cores) throws -> RelayPair {
        let joining = listeners / LoadPlan.connectRate
        let length = 2 * Self.attempts * (seconds + joining + Self.overhead)
        let programme = try ReferenceProgramme(.init(.mp3(128), seconds: length))
        let studio = try IcecastServer()
        let feeder = try Feeder(programme, to: studio, mount: RelayServer.path)
        func measure(_ program: RelayServer.Program) throws -> LoadResult {
            try undisturbed {
                note("relay: \(listeners) listeners \(wantsMetadata ? "with" : "without") metadata on \(program)")
                let server = try RelayServer(program, relaying: studio, listeners: listeners, on: cores)
                let plan = LoadPlan(
                    port: server.port, path: RelayServer.path, server: server.pid, listeners: listeners,
                    wantsMetadata: wantsMetadata, seconds: seconds, programme: programme.path)
                return try withExtendedLifetime((server, feeder)) { try generate(plan, studio) }
            }
        }
        return RelayPair(ours: try measure(.aircheck), icecast: try measure(.icecast))
    }

    /// Returns a result of `run` without disturbance from the host, for either server. If the host took processor time,
    /// `run` is repeated, and the least disturbed result counts.
    private func undisturbed(_ run: () throws -> LoadResult) throws -> LoadResult {
        var best = try run()
        for _ in 1..<Self.attempts where best.stolen > Self.tolerableTheft {
            note("relay: the host took \(percent(best.stolen)) of a processor meanwhile: once more")
            let next = try run()
            if next.stolen < best.stolen { best = next }
        }
        return best
    }

    /// Runs a generator while the station's title changes at intervals.
    private func generate(_ plan: LoadPlan, _ studio: IcecastServer) throws -> LoadResult {
        let generator = try ChildProcess(builtBinary("aircheck-bench"), ["load", try plan.argument])
        var time = 0
        while generator.isRunning {
            if time % Self.titleInterval == 0 { try studio.setTitle("Title \(time)", of: RelayServer.path) }
            sleep(1)
            time += 1
        }
        let outcome = try generator.wait(within: .seconds(1))
        guard outcome.succeeded else { throw SetupError("the load generator failed:\n\(outcome.standardError)") }
        let result = try LoadResult(line: outcome.standardOutput)
        if !result.remark.isEmpty { note("relay: the first flaw: \(result.remark)") }
        return result
    }
}
