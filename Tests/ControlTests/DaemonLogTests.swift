// SPDX-License-Identifier: MIT

import Configuration
import Daemon
import Logging
import Platform
import RadioCore
import Stations
import Testing

@testable import Control

/// What a daemon writes about its work.
struct DaemonLogTests {
    /// A log whose lines are kept instead of written.
    private final class Kept {
        private let lines = Lines()
        private(set) lazy var log = DaemonLog(LogSettings(), zone: FixedZone.utc) { [lines] settings in
            var logger = Logger(label: "test") { _ in KeepingHandler(settings: settings, lines: lines) }
            logger.logLevel = Logger.Level(settings.level)
            return logger
        }

        /// The lines since the last call.
        func take() -> [String] {
            lines.all.withLock { all in
                defer { all = [] }
                return all
            }
        }
    }

    private final class Lines: Sendable {
        let all = Monitor<[String]>([])
    }

    private struct KeepingHandler: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info
        let format: LogSettings.Format
        let lines: Lines

        init(settings: LogSettings, lines: Lines) {
            format = settings.format
            self.lines = lines
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let handler = ServiceLogHandler(format: format, level: logLevel, zone: FixedZone.utc, isJournal: false)
            let line = handler.line(event.level, "\(event.message)", event.metadata ?? [:])
            lines.all.withLock { $0.append(line) }
        }
    }

    private static func configured(_ format: LogSettings.Format, _ level: LogSettings.Level) -> DaemonEvent {
        var change = ConfigurationChange()
        (change.log.format, change.log.level) = (format, level)
        return .configured(change)
    }

    @Test func `a configuration that applies changes the form of the log, from its own entry on`() {
        let kept = Kept()
        kept.log.note(.clockNotSet)
        #expect(kept.take().allSatisfy { !$0.hasPrefix("{") })
        kept.log.note(Self.configured(.json, .info))
        kept.log.note(.clockNotSet)
        let lines = kept.take()
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("{") }, "\(lines)")
        kept.log.note(Self.configured(.text, .info))
        #expect(kept.take().map { $0.hasPrefix("{") } == [false])
    }

    @Test func `a configuration that applies changes what is important enough`() {
        let kept = Kept()
        let isQuiet = DaemonEvent.station("fip", .connecting(url: "http://fip.example/", attempt: 1))
        kept.log.note(isQuiet)
        #expect(kept.take().isEmpty)
        kept.log.note(Self.configured(.text, .debug))
        kept.log.note(isQuiet)
        #expect(kept.take().count == 2)
        kept.log.note(Self.configured(.text, .error))
        kept.log.note(isQuiet)
        #expect(kept.take().isEmpty)
    }
}
