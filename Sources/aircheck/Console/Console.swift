// SPDX-License-Identifier: MIT

import Glibc
import RadioCore
import RadioFormats
import WallClock

/// Standard error, for people: log lines, and below them, on a terminal, one line that is rewritten. Main thread only.
///
/// Standard output is for results. A closed or broken standard error is no error of the program.
struct Console {
    let isTerminal: Bool
    private var liveLine = ""
    private let zone = LocalZone()

    init() {
        isTerminal = isatty(STDERR_FILENO) == 1
    }

    /// Columns of the terminal (`TIOCGWINSZ`), asked anew each time as windows change; 80 where nobody knows.
    var width: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// One line of text; strangers' text in it cannot move the cursor.
    mutating func say(_ text: String) {
        let text = TitleText.cleaned(text)
        guard isTerminal else {
            let time = CivilTime(WallClock.now(), in: zone).rfc3339
            Self.write(STDERR_FILENO, "\(time.prefix(19)) \(text)\n")
            return
        }
        Self.write(STDERR_FILENO, "\r\u{1B}[K\(text)\n\(liveLine)")
    }

    /// Rewrites the live line; does nothing in a pipe.
    mutating func show(_ line: String) {
        guard isTerminal else { return }
        liveLine = line
        Self.write(STDERR_FILENO, "\r\u{1B}[K\(line)")
    }

    /// Takes the live line away.
    mutating func clear() {
        guard isTerminal, !liveLine.isEmpty else { return }
        liveLine = ""
        Self.write(STDERR_FILENO, "\r\u{1B}[K")
    }

    /// A result, to standard output. False where it could not be written.
    @discardableResult
    static func put(_ text: String) -> Bool { write(STDOUT_FILENO, text + "\n") }

    @discardableResult
    private static func write(_ descriptor: CInt, _ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }
}
