// SPDX-License-Identifier: MIT

import Platform
package import RadioCore

/// A thread for slow work, such as reading a disk that may hang or a list of megabytes.
package enum MediaThread {
    /// Runs `body` once, on a thread of its own. `purpose` says in a failure what the thread does: "reads files".
    package static func start(
        _ name: String, which purpose: String, _ body: @escaping @Sendable () -> Void
    ) throws(Failure) {
        do throws(SystemError) {
            try WorkerThread.start(name: name, body)
        } catch {
            throw failure(purpose, error)
        }
    }

    /// Makes a flag that stops such a thread.
    static func stopFlag(which purpose: String) throws(Failure) -> StopFlag {
        do throws(SystemError) {
            return try StopFlag()
        } catch {
            throw failure(purpose, error)
        }
    }

    private static func failure(_ purpose: String, _ error: SystemError) -> Failure {
        Failure(
            .internal, "the thread that \(purpose) could not be started: \(error)",
            remedy: "end other programs, or raise the limit of open files (ulimit -n)")
    }
}
