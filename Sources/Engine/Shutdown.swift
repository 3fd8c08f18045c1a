// SPDX-License-Identifier: MIT

import Glibc

/// Which signals end the process, and how.
enum Shutdown {
    /// A closed terminal (SIGHUP) finishes the files like Ctrl-C does.
    static let signals: [CInt] = [SIGINT, SIGTERM, SIGHUP]

    /// The second signal: whoever sends it does not want to wait. The `.part` on disk stays recoverable.
    static func exitAtOnce(_ number: CInt) -> Never {
        _exit(128 + number)
    }
}
