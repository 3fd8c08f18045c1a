// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import TestTools

/// Measures Aircheck and its peers in one run and prints a table. Exits with status 1 if a goal is missed, 2 on errors.
///
///     aircheck-bench [outages] [hls] [hls-outages] [hls-hour] [hls-cost] [latency] [flat-out] [real-time] [memory]
///         [library] [relay] [stations] [daemon] [daemon-start] [sound] [--seconds N] [--listeners N]… [--form FORM]
///
/// Without names, all benchmarks run. `--seconds` (or the variable `BENCH_SECONDS`) sets the duration of the real-time
/// run (default 300), of the run with many stations (300), of both runs for the cost of HLS (300), of that with a
/// daemon (600), of each relay run (30) and of the playback runs (60). The goals apply to the defaults. `--listeners`
/// sets the number of listeners of the relay runs, instead of 1,000, 5,000 and 15,000. It may be repeated. `--form`
/// sets that of the segments of `hls`: packed, transportStream or fragments.
///
/// `aircheck-bench serve TROUBLE` serves a station in HLS: see ``HLSServers/serve(_:)``.
/// `aircheck-bench load PLAN` runs the load generator of the relay benchmark: see ``LoadPlan``.
@main
enum Bench {
    static func main() {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            if arguments.first == "load", let plan = arguments.dropFirst().first {
                print(try LoadGenerator(LoadPlan(argument: plan)).run().line)
                exit(0)
            }
            if arguments.first == "serve" { try HLSServers.serve(Array(arguments.dropFirst())) }
            let plan = try Plan(arguments)
            var figures: [Figure] = []
            if plan.runs("outages") { figures += try Outages().run() }
            if plan.runs("hls") { figures += try SegmentTrouble(form: plan.form).run() }
            if plan.runs("hls-outages") { figures += try SegmentOutages().run() }
            if plan.runs("hls-hour") { figures += try SegmentHour().run() }
            if plan.runs("hls-cost") { figures += try SegmentCost(seconds: plan.seconds ?? 300).run() }
            if plan.runs("latency") { figures += try Latency().run() }
            if plan.runs("flat-out") { figures += try FlatOut().run() }
            if plan.runs("real-time") { figures += try RealTime(seconds: plan.seconds ?? 300).run() }
            if plan.runs("memory") { figures += InMemory().run() }
            if plan.runs("library") { figures += try LibraryListing().run() }
            if plan.runs("relay") {
                figures += try Relaying(sizes: plan.listeners, seconds: plan.seconds ?? 30).run()
            }
            if plan.runs("stations") {
                figures += try ManyStations(stations: 200, seconds: plan.seconds ?? 300).run()
            }
            if plan.runs("daemon") {
                figures += try DaemonStations(stations: 1_000, seconds: plan.seconds ?? 600).run()
            }
            if plan.runs("daemon-start") { figures += try DaemonStart().run() }
            if plan.runs("sound") { figures += try Sounding(seconds: plan.seconds ?? 60).run() }
            exit(Table.show(figures) ? 0 : 1)
        } catch {
            note("\(error)")
            exit(2)
        }
    }

    /// The parsed arguments.
    private struct Plan {
        private var names: Set<String> = []
        private(set) var seconds = getenv("BENCH_SECONDS").flatMap { Int(String(cString: $0)) }
        private(set) var listeners: [Int] = []
        private(set) var form = HLSRendition.Packaging.packed

        private static let all: Set = [
            "outages", "hls", "hls-outages", "hls-hour", "hls-cost", "latency", "flat-out", "real-time", "memory",
            "library", "relay", "stations", "daemon", "daemon-start", "sound",
        ]

        init(_ arguments: some Sequence<String>) throws {
            var rest = arguments.makeIterator()
            func number(of option: String) throws -> Int {
                guard let value = rest.next().flatMap({ Int($0) }), value > 0 else {
                    throw SetupError("\(option) wants a number")
                }
                return value
            }
            while let argument = rest.next() {
                switch argument {
                case "--seconds": seconds = try number(of: argument)
                case "--listeners": listeners.append(try number(of: argument))
                case "--form":
                    guard let form = rest.next().flatMap(HLSServers.form) else { throw SetupError("no such form") }
                    self.form = form
                case _ where Self.all.contains(argument): names.insert(argument)
                default: throw SetupError("no benchmark is called \(argument)")
                }
            }
            if listeners.isEmpty { listeners = [1000, 5000, 15_000] }
            guard !runs("real-time") || seconds ?? 300 >= 20 else {
                throw SetupError("a real-time run takes 20 seconds at least")
            }
        }

        func runs(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
    }
}

/// Prints progress on standard error; standard output has only the tables.
func note(_ text: String) {
    let line = Array("aircheck-bench: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
