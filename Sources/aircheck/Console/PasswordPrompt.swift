// SPDX-License-Identifier: MIT

import Glibc

/// Asks for a line at a terminal that does not show it. Main thread, while that is the only one.
///
/// Signals that end the program, or stop it for a while, come when the terminal shows again what is typed, and find it
/// as it was.
enum PasswordPrompt {
    /// From the keyboard and from elsewhere.
    private static let signals = [SIGINT, SIGQUIT, SIGTSTP, SIGTERM, SIGHUP]
    /// Bytes of an answer, about; of a longer one the rest is not read.
    private static let longest = 65_536

    /// One line of standard input; nil where it has none. What is no terminal is read without a question.
    static func ask(_ question: String) -> String? {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return readLine() }
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        while true {
            var held = signalSet
            pthread_sigmask(SIG_BLOCK, &held, nil)
            if let answer = askOnce(question, settings) { return answer.line }
            // Here the program ends. Where it was only stopped, or wants the signal ignored, it asks again.
            pthread_sigmask(SIG_UNBLOCK, &held, nil)
        }
    }

    private struct Answer {
        var line: String?
    }

    /// Nil where a signal came instead, which is still to be let through.
    private static func askOnce(_ question: String, _ settings: termios) -> Answer? {
        var (shown, hidden) = (settings, settings)
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
        var console = Console()
        console.say(question)
        return readAnswer()
    }

    /// The terminal hands over what was typed also before the end of the line, at Ctrl-D: a signal may come after that.
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

    /// Waits for something to read (true) or for a signal (false), which is held back again afterwards.
    private static func isReadable() -> Bool {
        let former = signals.map { number in
            // Raised once more where it is held back, it waits there.
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in _ = raise(number) }
            // Nor may another one of them come meanwhile: it would be let through again and again.
            action.sa_mask = signalSet
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

    private static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        return set
    }
}
