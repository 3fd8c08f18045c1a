// SPDX-License-Identifier: MIT

import ArgumentParser
import Control
import Glibc
import Instants
import Platform
import RadioCore
import RadioFormats
import WallClock
import Words

/// Standard error, for people: log lines and, on a terminal, a live line below them. Main thread only.
///
/// Standard output is for results. A closed or broken standard error is not an error of the program.
struct Console {
    let isTerminal: Bool
    /// Which lines are printed.
    let detail: Detail
    /// Whether standard error is read by journald, which adds the time itself.
    private let isJournal: Bool
    private var liveLine = ""
    private let zone = LocalZone()
    private var isStuck = false
    private let eraser = LiveLineEraser { name in getenv(name).map { String(cString: $0) } }

    init(_ detail: Detail = .usual) {
        self.detail = detail
        isJournal = StandardError.isJournal
        isTerminal = isatty(STDERR_FILENO) == 1 && Self.canRewrite(terminal: getenv("TERM").map { String(cString: $0) })
    }

    /// Whether a live line is shown.
    var hasLiveLine: Bool { isTerminal && detail > .needed }

    /// Whether a terminal of this type (`TERM`) can rewrite a line. Other terminals get log lines, as a pipe does.
    static func canRewrite(terminal type: String?) -> Bool { ![nil, "", "dumb", "unknown"].contains(type) }

    /// The terminal's width in columns; 80 if unknown. Read each time, because windows are resized.
    var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The size of the window of standard output; 80 columns and 24 rows if unknown.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The local time at an instant, such as `20:00:00`.
    func clock(_ instant: WallInstant) -> String {
        String(CivilTime(instant, in: zone).rfc3339.dropFirst(11).prefix(8))
    }

    /// Prints a line, unless less detail is wanted. Control characters are removed, so untrusted text cannot move the
    /// cursor.
    mutating func say(_ text: String, _ detail: Detail = .needed) {
        guard detail <= self.detail else { return }
        let text = ConsoleText.cleaned(text)
        guard isTerminal else {
            if isJournal { return tell("\(text)\n") }
            let time = CivilTime(WallClock.now(), in: zone).rfc3339
            // Without milliseconds: people read this log.
            return tell("\(time.prefix(19))\(time.dropFirst(23)) \(text)\n")
        }
        tell("\(erasing)\(text)\n\(liveLine)")
    }

    mutating func say(_ occurrence: Occurrence?) {
        if let occurrence { say(occurrence.sentence, occurrence.detail) }
    }

    /// Says why a command fails, and returns what it throws.
    mutating func failure(_ text: String, _ status: ExitStatus) -> ExitCode {
        say("error: \(text)")
        return status.code
    }

    /// Rewrites the live line, if one is shown.
    mutating func show(_ line: String) {
        guard hasLiveLine else { return }
        let erasing = erasing
        liveLine = line
        tell("\(erasing)\(line)")
    }

    /// Writes the live line again after another program has used the terminal.
    mutating func redraw() { show(liveLine) }

    /// Removes the live line.
    mutating func clear() {
        guard isTerminal, !liveLine.isEmpty else { return }
        let erasing = erasing
        liveLine = ""
        tell(erasing)
    }

    /// The characters that erase the live line.
    private var erasing: String { eraser.erasing(DisplayWidth.of(liveLine), width: width) }

    /// Writes to standard error. Drops the text if standard error accepts nothing for a second: a stopped terminal or
    /// an unread pipe must not keep the program from ending.
    private mutating func tell(_ text: String) {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        isStuck = poll(&descriptor, 1, isStuck ? 0 : 1_000) != 1
        if !isStuck { Self.write(STDERR_FILENO, text) }
    }

    /// Writes a result for people to standard output: a byte of a path that is not UTF-8 is `\xFC`. ``checkResults()``
    /// tells whether that failed.
    static func put(_ text: String) { putResult(PathText.shown(text)) }

    /// Writes a result as JSON to standard output.
    static func put(json: JSONValue) { putResult(ConsoleText.json(json)) }

    private static func putResult(_ text: String) {
        let isClosed = StandardDescriptors.closedAtStart.contains(STDOUT_FILENO)
        let isWritten = !isClosed && write(STDOUT_FILENO, text + "\n")
        if !isWritten { hasLostResult.withLock { $0 = true } }
    }

    private static let hasLostResult = Monitor(false)

    /// Writes to standard error as the argument parser does: without the time.
    static func complain(_ text: String) { write(STDERR_FILENO, PathText.shown(text) + "\n") }

    /// Returns whether all of the text could be written. A reader that has gone is not an error.
    @discardableResult
    private static func write(_ descriptor: CInt, _ text: String) -> Bool {
        do throws(SystemError) { try writeAll(Array(text.utf8), to: descriptor) } catch { return error.number == EPIPE }
        return true
    }
}

extension Console {
    /// Throws the exit status if a result could not be written to standard output, and says so.
    static func checkResults() throws(ExitCode) {
        guard hasLostResult.withLock({ $0 }) else { return }
        let isClosed = StandardDescriptors.closedAtStart.contains(STDOUT_FILENO)
        complain(
            "error: the result could not be written to standard output"
                + (isClosed ? ", which is closed: open it" : ": free some space, or write it somewhere else"))
        throw ExitStatus.ioError.code
    }
}
