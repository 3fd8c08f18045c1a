// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// The signals that end the process, and how they are handled.
package enum ProcessSignals {
    /// A closed terminal (SIGHUP) ends the process like Ctrl-C, so that files are finished.
    private static let signals: [CInt] = [SIGINT, SIGTERM, SIGHUP]

    /// Blocks the signals until the loop that handles them runs. Threads created later inherit this.
    ///
    /// Gives Ctrl-\ (SIGQUIT) its usual effect, which is to end the process at once: Swift's own handler reports a
    /// crash, and lets the process continue.
    package static func hold() {
        if !isIgnored(SIGQUIT) { signal(SIGQUIT, SIG_DFL) }
        var set = sigset_t(of: signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Unblocks the signals, including pending ones. Call it on the thread that handles them.
    package static func letCome() {
        var set = sigset_t(of: signals)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// The signals to handle: those that our parent has not set to be ignored (`nohup`, a script's background job).
    package static var heeded: [CInt] {
        signals.filter { !isIgnored($0) }
    }

    private static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignored
    }

    private static let ignored = unsafeBitCast(SIG_IGN, to: Int.self)

    /// Ends the process without delay, for a signal that arrives while the end requested by the first one is in
    /// progress. Files stay as they are on disk; the terminal is restored, and running programs are killed.
    package static func exitAtOnce(_ number: CInt) -> Never {
        ac_terminal_leave()
        ProcessGroups.killAll()
        _exit(128 + number)
    }
}
