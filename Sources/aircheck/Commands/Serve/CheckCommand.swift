// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import Control
import Daemon
import RadioCore
import RadioFormats
import WallClock
import Words

/// `aircheck check`: lists the problems of a configuration file.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks the configuration of 'aircheck serve', and names every problem with its line.",
        discussion: """
            Also says how many files the rules of the configuration would delete now. The exit status is 0 if there are \
            only warnings.
            """)

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var file: ConfigurationOptions

    func run() throws {
        let path = file.path
        switch ConfigurationFile.read(path, ConfigurationOptions.context) {
        case .success(let configuration):
            let stations = Measure.count(configuration.stations.count, "station")
            let shows = Measure.count(configuration.stations.reduce(0) { $0 + $1.shows.count }, "show")
            let zone = LocalZone()
            let today = CalendarDate(CivilTime(WallClock.now(), in: zone))
            let warnings = ConfigurationWarning.all(for: configuration, today: today).map { Wording.line($0, in: path) }
            let foreseen = RetentionRun.foresee(configuration, now: WallClock.now(), in: zone)
            let retention = foreseen.map { CatalogJSON.foreseen($0) } ?? .null
            if json { return Console.put(json: Self.object(path, [], warnings, retention)) }
            let verdict = warnings.isEmpty ? "is fine" : "can be used, with \(Measure.count(warnings.count, "warning"))"
            Console.put("\(path) \(verdict): \(stations), \(shows)")
            for line in RetentionList.forecast(retention, isApplied: false) { Console.put(line) }
            var console = Console()
            for warning in warnings { console.say("warning: \(warning)") }
        case .failure(let error):
            if json {
                Console.put(json: Self.object(path, error.objects))
            } else {
                var console = Console()
                for line in error.lines(of: path) { console.say(line) }
            }
            throw ExitStatus.configuration.code
        }
    }

    private static func object(
        _ path: String, _ problems: [JSONValue], _ warnings: [String] = [], _ retention: JSONValue = .null
    ) -> JSONValue {
        .object(["file": path, "problems": problems, "warnings": warnings, "retention": retention])
    }
}

extension ConfigurationError {
    fileprivate var objects: [JSONValue] {
        switch self {
        case .unreadable(let fault): [["message": .string("\(fault)")]]
        case .invalid(let faults):
            faults.map { fault in
                .object([
                    "line": fault.line, "column": fault.column, "key": fault.key, "message": fault.problem,
                    "remedy": fault.remedy,
                ])
            }
        }
    }
}
