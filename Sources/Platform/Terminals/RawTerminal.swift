// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// The terminal of the process in a mode in which keys are heard one by one and not shown, and back as it was: at the
/// end, when somebody stops the process (Ctrl-Z), when it crashes, and at an end without a word
/// (``ProcessSignals/exitAtOnce(_:)``).
///
/// Signals stay signals: Ctrl-C and Ctrl-Z are no keys. One object for the process; ``enter()``, ``nextEvent()`` and
/// ``stopProcess()`` are for one worker thread, which is never stopped for what it does to a terminal in the background.
package final class RawTerminal: Sendable {
    /// What to do about a signal.
    package enum Event: Hashable {
        /// Somebody wants the process stopped: ``leave()``, and then ``stopProcess()``.
        case stop
        /// It goes on after that: ``enter()``.
        case goOn
    }

    private let signals: Descriptor
    private let maskBefore: sigset_t

    /// Where keys come from.
    package static let keyboard = STDIN_FILENO

    /// Nil where standard input and standard error are not both terminals: then nobody is there to press keys.
    ///
    /// On the first thread, before it makes others that could be stopped in its place: what stops and continues the
    /// process is held back from here on, and told through ``signalDescriptor``.
    package init?() {
        guard isatty(Self.keyboard) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        let numbers = [SIGTSTP, SIGCONT]
        let descriptor = ac_open_signals(numbers, CInt(numbers.count))
        guard descriptor >= 0 else { return nil }
        signals = Descriptor(owning: descriptor)
        var (held, before) = (sigset_t(), sigset_t())
        sigemptyset(&held)
        for number in numbers { sigaddset(&held, number) }
        pthread_sigmask(SIG_BLOCK, &held, &before)
        maskBefore = before
        guard ac_terminal_prepare(Self.keyboard) == 0 else {
            letSignalsCome()
            return nil
        }
    }

    /// Becomes readable when there is an event.
    package var signalDescriptor: CInt { signals.number }

    /// Sets the mode. False where the process is in the background: the terminal is not ours then. May be repeated.
    package func enter() -> Bool { ac_terminal_enter() == 1 }

    /// Sets the terminal back. Any thread; idempotent.
    package func leave() { ac_terminal_leave() }

    /// The next thing that has happened; nil where there is none.
    package func nextEvent() -> Event? {
        switch ac_next_signal(signals.number) {
        case SIGTSTP: .stop
        case SIGCONT: .goOn
        default: nil
        }
    }

    /// Stops the process as Ctrl-Z does; returns when it goes on. At once where nobody could continue it.
    package func stopProcess() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        _ = raise(SIGTSTP)
        // Here it comes, and does what it does by default.
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Lets the signals do again what they do by default; on the thread that made this, at the end.
    package func letSignalsCome() {
        var mask = maskBefore
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
