// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// Which signals end the process, and how.
package enum ProcessSignals {
    /// A closed terminal (SIGHUP) finishes the files like Ctrl-C does.
    private static let signals: [CInt] = [SIGINT, SIGTERM, SIGHUP]

    /// Holds the signals back from now on: for the time between the start of the process and the loop that hears them.
    /// Threads that are made later inherit it.
    package static func hold() {
        var set = signalSet
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Lets them come, also those that came meanwhile; on the thread that is to hear them.
    package static func letCome() {
        var set = signalSet
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Those that whoever started us wants ignored (`nohup`, a background job of a script) stay ignored.
    package static var heeded: [CInt] {
        signals.filter { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != Self.ignored
        }
    }

    private static let ignored = unsafeBitCast(SIG_IGN, to: Int.self)

    private static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        return set
    }

    /// A signal when the first one is under way: whoever sends it does not want to wait. What is on disk stays as it is.
    /// A terminal does not: it is set back.
    package static func exitAtOnce(_ number: CInt) -> Never {
        ac_terminal_leave()
        _exit(128 + number)
    }
}
