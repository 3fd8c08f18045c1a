// SPDX-License-Identifier: MIT

import Platform

/// The thread that checks passwords against hashes, which is slow by design, behind a bounded queue.
///
/// Sendable. After ``close()`` the thread ends with its current password; nothing waits for it.
final class PasswordThread: Sendable {
    struct Job: Sendable {
        let id: KeyedDigest.Value
        var password: [UInt8]
        let hash: PasswordHash
    }

    private let queue = Mailbox<[Job]>([])
    /// The maximum number of queued jobs. Beyond it, clients are told to come back later.
    private let mostJobs: Int

    /// The longest time that any accepted hash takes.
    private static let slowestHash = Duration.milliseconds(500)

    /// Starts the thread. Each accepted job is done within `patience`, even if all hashes are slow. Calls `tell` on the
    /// thread for each job, with whether the password matches the hash.
    init(patience: Duration, tell: @escaping @Sendable (KeyedDigest.Value, Bool) -> Void) throws(SystemError) {
        // One place is subtracted, because another job may be in progress while these are queued.
        mostJobs = max(1, Int(patience / Self.slowestHash) - 1)
        try WorkerThread.start(name: "passwords") { [queue] in
            while var job = queue.take({ $0.isEmpty ? nil : $0.removeFirst() }) {
                let matches = job.hash.matches(job.password)
                job.password.wipe()
                tell(job.id, matches)
            }
        }
    }

    /// Queues a password. Returns false if the queue is full.
    func submit(_ job: Job) -> Bool {
        queue.put { jobs in
            guard jobs.count < mostJobs else { return false }
            jobs.append(job)
            return true
        } ?? false
    }

    /// Ends the thread, and drops queued jobs.
    func close() { queue.abandon { $0 = [] } }
}
