// SPDX-License-Identifier: MIT

import RadioCore

@testable import Configuration

/// Whether dates can be read.
let readsDates = (try? CalendarDate(parsing: "2026-12-24")) != nil

let zones = ConfigurationContext.ZoneNames(
    isKnown: { ["UTC", "Europe/Paris", "Europe/Berlin"].contains($0) },
    nearest: { $0.hasPrefix("Europe/P") ? "Europe/Paris" : nil })

/// Of which hooks may be notified.
let events = [
    "recording-started", "recording-finished", "recording-incomplete", "show-missed", "gap", "station-down",
    "station-back", "disk-low",
]

/// A context without credentials.
let context = ConfigurationContext(environment: [:], userAgent: "Aircheck/test", zones: zones, events: events)

func parse(
    _ text: String, folder: String = "/radio", _ context: ConfigurationContext = context
) -> Result<Configuration, ConfigurationError> {
    ConfigurationFile.parse(Array(text.utf8), folder: folder, context)
}

/// The faults of a text; empty if it is valid.
func faults(
    _ text: String, folder: String = "/radio", _ context: ConfigurationContext = context
) -> [ConfigurationFault] {
    faults(of: parse(text, folder: folder, context))
}

func faults(of result: Result<Configuration, ConfigurationError>) -> [ConfigurationFault] {
    guard case .failure(.invalid(let faults)) = result else { return [] }
    return faults
}

/// The places of the faults: `12 station[1].id`.
func places(_ text: String) -> [String] { faults(text).map { "\($0.line) \($0.key)" } }

/// A station with further lines, the first of which is line 4.
func station(_ lines: String) -> String {
    "[[station]]\nid = \"fip\"\nurl = \"https://fip.example/a\"\n\(lines)"
}

/// A station with a show and further lines of it, the first of which is line 8.
func show(_ lines: String) -> String {
    station("[[station.show]]\nid = \"jazz\"\ndays = \"mon-fri\"\nstart = \"19:00\"\n\(lines)")
}
