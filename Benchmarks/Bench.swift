// SPDX-License-Identifier: MIT

import Glibc
import TestSupport

/// Measures Aircheck beside its peers in one run and prints a table; status 1 where a goal is missed, 2 where nothing
/// could be measured.
///
///     aircheck-bench [outages] [latency] [flat-out] [real-time] [memory] [--seconds N]
///
/// Without names, all of them. `--seconds` (or the variable `BENCH_SECONDS`) is the length of the real-time run: 300
/// unless told otherwise; the goals are meant for that length.
@main
enum Bench {
    static func main() {
        do {
            let plan = try Plan(CommandLine.arguments.dropFirst())
            var figures: [Figure] = []
            if plan.runs("outages") { figures += try Outages().run() }
            if plan.runs("latency") { figures += try Latency().run() }
            if plan.runs("flat-out") { figures += try FlatOut().run() }
            if plan.runs("real-time") { figures += try RealTime(seconds: plan.seconds).run() }
            if plan.runs("memory") { figures += InMemory().run() }
            exit(Table.show(figures) ? 0 : 1)
        } catch {
            note("\(error)")
            exit(2)
        }
    }

    /// What the arguments ask for.
    private struct Plan {
        private var names: Set<String> = []
        private(set) var seconds = getenv("BENCH_SECONDS").flatMap { Int(String(cString: $0)) } ?? 300

        private static let all: Set = ["outages", "latency", "flat-out", "real-time", "memory"]

        init(_ arguments: some Sequence<String>) throws {
            var rest = arguments.makeIterator()
            while let argument = rest.next() {
                if argument == "--seconds" {
                    guard let value = rest.next().flatMap({ Int($0) }) else {
                        throw SetupError("--seconds wants a number")
                    }
                    seconds = value
                } else {
                    guard Self.all.contains(argument) else { throw SetupError("no benchmark is called \(argument)") }
                    names.insert(argument)
                }
            }
            guard seconds >= 20 else { throw SetupError("a real-time run takes 20 seconds at least") }
        }

        func runs(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
    }
}

/// Says on standard error what goes on; the table alone is on standard output.
func note(_ text: String) {
    let line = Array("aircheck-bench: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
