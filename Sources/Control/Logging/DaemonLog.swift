// SPDX-License-Identifier: MIT

package import Configuration
package import Daemon
import Instants
package import Logging
import Platform
package import RadioCore
import WallClock
import Words

/// Writes a daemon's events to a log. Confined to one thread, which may block on standard error.
package final class DaemonLog {
    private var logger: Logger
    private let makeLogger: (LogSettings) -> Logger
    private let zone: any TimeZoneRules
    private var faults = FaultCounter()

    /// `logger` makes a logger with the given settings. It is called again whenever a configuration is applied.
    package init(_ settings: LogSettings, zone: any TimeZoneRules, logger: @escaping (LogSettings) -> Logger) {
        self.logger = logger(settings)
        makeLogger = logger
        self.zone = zone
    }

    /// Writes an event. If the event is that a new configuration was applied, the settings of the new configuration
    /// already apply to its entry.
    package func note(_ event: DaemonEvent) {
        if case .configured(let change) = event { logger = makeLogger(change.log) }
        if let record = Wording.record(event, now: WallClock.now(), zone: zone) { write(record) }
    }

    private func write(_ record: LogRecord) {
        var metadata: Logger.Metadata = [:]
        for field in record.fields { metadata[field.name] = .string(field.value) }
        var sentence = record.sentence
        if let fault = record.fault {
            guard let repeats = faults.note(fault, at: .read()) else { return }
            if repeats > 0 {
                metadata["repeats"] = .stringConvertible(repeats)
                sentence += " (\(repeats) more times since this was last logged)"
            }
        }
        if let ended = record.ends { faults.end(ended) }
        metadata[ServiceLogHandler.sentence] = .string(sentence)
        logger.log(level: Logger.Level(record.level), "\(record.message)", metadata: metadata)
    }
}

extension Logger.Level {
    /// The level of a configuration.
    package init(_ level: LogSettings.Level) {
        switch level {
        case .debug: self = .debug
        case .info: self = .info
        case .notice: self = .notice
        case .warning: self = .warning
        case .error: self = .error
        }
    }

    fileprivate init(_ level: LogRecord.Level) {
        switch level {
        case .debug: self = .debug
        case .info: self = .info
        case .notice: self = .notice
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}
