// SPDX-License-Identifier: MIT

package import Configuration
import Instants
package import Logging
import Platform
package import Words

/// Writes occurrences to a log. Confined to one thread, which may block on standard error.
package final class DaemonLog {
    private var logger: Logger
    private let makeLogger: (LogSettings) -> Logger
    private var faults = FaultCounter()

    /// `logger` makes a logger with the given settings.
    package init(_ settings: LogSettings, logger: @escaping (LogSettings) -> Logger) {
        self.logger = logger(settings)
        makeLogger = logger
    }

    /// Uses these settings from now on.
    package func use(_ settings: LogSettings) { logger = makeLogger(settings) }

    package func write(_ occurrence: Occurrence) {
        guard let level = occurrence.level else { return }
        var metadata = occurrence.fields.mapValues { Logger.MetadataValue.string($0) }
        var sentence = occurrence.sentence
        if let fault = occurrence.fault {
            guard let repeats = faults.note(fault, at: .read()) else { return }
            if repeats > 0 {
                metadata["repeats"] = .stringConvertible(repeats)
                sentence += " (\(repeats) more times since this was last logged)"
            }
        }
        if let ended = occurrence.ends { faults.end(ended) }
        metadata[ServiceLogHandler.sentence] = .string(sentence)
        logger.log(level: Logger.Level(level), "\(occurrence.name)", metadata: metadata)
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
}
