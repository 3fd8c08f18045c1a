// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// Reads a line from a terminal without echo. Main thread, while it is the only thread.
///
/// Signals that end or stop the process are delivered only while the terminal echoes again, so the terminal is always
/// restored first.
enum PasswordPrompt {
    /// Signals from the keyboard and from other processes.
    private static let signals = [SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP]
    /// The approximate maximum length of an answer in bytes. The rest of a longer answer is not read.
    private static let longest = 65_536

    /// Reads one line of standard input; nil at its end. Prints `question` only on a terminal.
    static func ask(_ question: String) -> String? {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return readLine() }
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        while true {
            var held = sigset_t(of: signals)
            pthread_sigmask(SIG_BLOCK, &held, nil)
            if let answer = askOnce(question, settings) { return answer.line }
            // A signal usually ends the process here. If the signal only stopped the process, or is ignored, ask again.
            pthread_sigmask(SIG_UNBLOCK, &held, nil)
        }
    }

    private struct Answer {
        var line: String?
    }

    /// Asks once. Returns nil if a signal arrived instead of an answer; the signal is still pending.
    private static func askOnce(_ question: String, _ settings: termios) -> Answer? {
        var (shown, hidden) = (settings, settings)
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
        var console = Console()
        console.say(question)
        return readAnswer()
    }

    /// The terminal delivers partial lines too, at Ctrl-D, so a signal may arrive between two reads.
    private static func readAnswer() -> Answer? {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while isReadable() {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0, line.count < longest else {
                return Answer(line: line.isEmpty ? nil : String(decoding: line, as: UTF8.self))
            }
            line += buffer[..<count]
            if line.last == UInt8(ascii: "\n") { return Answer(line: String(decoding: line.dropLast(), as: UTF8.self)) }
        }
        return nil
    }

    /// Blocks until there is input (true) or a signal (false), which is left pending.
    private static func isReadable() -> Bool {
        let former = signals.map { number in
            // The handler raises the signal again. The signal is blocked inside the handler, so it becomes pending.
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in _ = raise(number) }
            // Block the other signals, too: otherwise they would be redelivered endlessly.
            action.sa_mask = sigset_t(of: signals)
            var former = sigaction()
            sigaction(number, &action, &former)
            return former
        }
        defer {
            for (number, var action) in zip(signals, former) { sigaction(number, &action, nil) }
        }
        var letThrough = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &letThrough)
        for number in signals { sigdelset(&letThrough, number) }
        var wanted = fd_set()
        wanted.__fds_bits.0 = 1 << STDIN_FILENO
        return pselect(STDIN_FILENO + 1, &wanted, nil, nil, nil, &letThrough) >= 0 || errno != EINTR
    }
}
