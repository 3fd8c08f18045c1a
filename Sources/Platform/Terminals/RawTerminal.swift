// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Puts the process's terminal into a mode that delivers single keys without echo. Restores it at the end, when the
/// process is stopped (Ctrl-Z), when it crashes, and when it ends at once (``ProcessSignals/exitAtOnce(_:)``).
///
/// Signals stay signals: Ctrl-C and Ctrl-Z are not delivered as keys. Only one object per process. ``enter()``,
/// ``nextEvent()`` and ``stopProcess()`` are for a worker thread, which is never stopped for using a terminal in the
/// background.
package final class RawTerminal: Sendable {
    /// How to handle a signal.
    package enum Event: Hashable {
        /// The process should stop: call ``leave()``, then ``stopProcess()``.
        case stop
        /// The process has been continued: call ``enter()``.
        case proceed
    }

    private let signals: Descriptor
    private let maskBefore: sigset_t

    /// The descriptor that keys come from.
    package static let keyboard = STDIN_FILENO

    /// Returns nil unless standard input and standard error are both terminals: otherwise nobody can press keys.
    ///
    /// From now on the signals that stop and continue the process are blocked, and reported through
    /// ``signalDescriptor``. Call this on the first thread, before it creates other threads, because those could
    /// receive the signals instead.
    package init?() {
        guard isatty(Self.keyboard) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        let numbers = [SIGTSTP, SIGCONT]
        let descriptor = ac_open_signals(numbers, CInt(numbers.count))
        guard descriptor >= 0 else { return nil }
        signals = Descriptor(owning: descriptor)
        var (held, before) = (sigset_t(of: numbers), sigset_t())
        pthread_sigmask(SIG_BLOCK, &held, &before)
        maskBefore = before
        guard ac_terminal_prepare(Self.keyboard) == 0 else {
            letSignalsCome()
            return nil
        }
    }

    /// Readable when there is an event.
    package var signalDescriptor: CInt { signals.number }

    /// Sets the mode; may be repeated. Returns false in the background, where the terminal belongs to another program.
    package func enter() -> Bool { ac_terminal_enter() == 1 }

    /// Restores the terminal. Any thread; idempotent.
    package func leave() { ac_terminal_leave() }

    /// The next event; nil if there is none.
    package func nextEvent() -> Event? {
        switch ac_next_signal(signals.number) {
        case SIGTSTP: .stop
        case SIGCONT: .proceed
        default: nil
        }
    }

    /// Stops the process as Ctrl-Z does, and returns when it is continued. Returns at once if nobody could continue it.
    package func stopProcess() {
        var set = sigset_t(of: [SIGTSTP])
        _ = raise(SIGTSTP)
        // The signal is delivered here, with its default action.
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Restores the signals' default actions. Call it at the end, on the thread that created this object.
    package func letSignalsCome() {
        var mask = maskBefore
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
}
