// SPDX-License-Identifier: MIT

package import Configuration
import Glibc
import Instants
package import Logging
import Platform
package import RadioCore
import RadioFormats
import WallClock

/// Writes a service's log to standard error: lines for people or JSON objects, for a terminal, a file or journald.
///
/// journald adds the time and the program's name itself, and reads a priority at the beginning of each line (`<4>`,
/// sd-daemon(3)). If standard error is closed, full or stuck, it does not delay the program: a line that is not
/// accepted within 100 ms is dropped.
package struct ServiceLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let format: LogSettings.Format
    private let zone: any TimeZoneRules
    /// Whether journald reads standard error.
    private let isJournal: Bool

    /// The field that holds the sentence for people.
    package static let sentence = "text"

    package init(format: LogSettings.Format, level: Logger.Level, zone: any TimeZoneRules, isJournal: Bool) {
        self.format = format
        logLevel = level
        self.zone = zone
        self.isJournal = isJournal
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }
        Self.write(line(event.level, "\(event.message)", fields))
    }

    /// One line with its line end.
    func line(_ level: Logger.Level, _ message: String, _ fields: Logger.Metadata) -> String {
        let priority = isJournal ? "<\(Self.priority(level))>" : ""
        switch format {
        case .json:
            var object = JSONObject()
            object.append("time", .string(time))
            object.append("level", .string(level.rawValue))
            object.append("message", .string(message))
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                object.append(name, .string(Self.cut("\(value)")))
            }
            object.noteRawBytes(of: fields.values.map { "\($0)" })
            return priority + JSONValue.object(object).text(.compact) + "\n"
        case .text:
            let sentence = fields[Self.sentence].map { "\($0)" } ?? message
            let text = PathText.shown(TitleText.cleaned(sentence))
            return priority + (isJournal ? "" : "\(time) \(level.rawValue): ") + text + "\n"
        }
    }

    /// Shortens a field of JSON: cutting the whole line would leave invalid JSON.
    private static func cut(_ text: String) -> String { text.utf8.count > 1_000 ? "\(text.prefix(400))…" : text }

    private var time: String { CivilTime(WallClock.now(), in: zone).rfc3339 }

    /// syslog(3)'s numbers.
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    private static let isStuck = Monitor(false)

    private static func write(_ text: String) {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        // Waits only once for a stuck reader, not for each line.
        let isReady = isStuck.withLock { isStuck in
            isStuck = poll(&descriptor, 1, isStuck ? 0 : 100) != 1
            return !isStuck
        }
        guard isReady else { return }
        // A line has at most PIPE_BUF bytes, because a pipe accepts up to PIPE_BUF bytes completely or not at all.
        let line = text.utf8.count <= PIPE_BUF ? Array(text.utf8) : text.utf8.prefix(Int(PIPE_BUF) - 1) + [0x0A]
        line.withUnsafeBytes { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
