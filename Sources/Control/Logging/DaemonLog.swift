// SPDX-License-Identifier: MIT

package import Configuration
import Platform
package import RadioCore
import WallClock
package import Words

/// Writes occurrences to a log. Confined to one thread, which may block on standard error.
package final class DaemonLog {
    private var settings: LogSettings
    private let zone: any TimeZoneRules
    private let isJournal: Bool
    private let put: (String) -> Void
    private var faults = FaultCounter()

    /// `isJournal`: whether journald reads the lines. `put` is called with each line, which ends with a line feed.
    package init(
        _ settings: LogSettings, zone: any TimeZoneRules, isJournal: Bool = StandardError.isJournal,
        put: @escaping (String) -> Void = StandardError.put
    ) {
        (self.settings, self.zone, self.isJournal, self.put) = (settings, zone, isJournal, put)
    }

    /// Uses these settings from now on.
    package func use(_ settings: LogSettings) { self.settings = settings }

    /// Writes an error that comes before everything else.
    package func write(error line: String) { put(.error, line, [:], line) }

    package func write(_ occurrence: Occurrence) {
        guard let level = occurrence.level else { return }
        var (fields, sentence) = (occurrence.fields, occurrence.sentence)
        if let fault = occurrence.fault {
            guard let repeats = faults.note(fault, at: .read()) else { return }
            if repeats > 0 {
                fields["repeats"] = "\(repeats)"
                sentence += " (\(repeats) more times since this was last logged)"
            }
        }
        if let ended = occurrence.ends { faults.end(ended) }
        guard level.priority <= settings.level.priority else { return }
        put(level, occurrence.name, fields, sentence)
    }

    private func put(_ level: LogSettings.Level, _ name: String, _ fields: [String: String], _ sentence: String) {
        let line = LogLine(level: level, name: name, fields: fields, sentence: sentence)
        put(line.text(settings.format, at: CivilTime(WallClock.now(), in: zone), isJournal: isJournal))
    }
}
