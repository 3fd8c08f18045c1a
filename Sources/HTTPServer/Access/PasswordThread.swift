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

    private struct Queue {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let queue = Monitor(Queue())
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
            while var job = Self.nextJob(queue) {
                let matches = job.hash.matches(job.password)
                job.password.wipe()
                tell(job.id, matches)
            }
        }
    }

    /// Queues a password. Returns false if the queue is full.
    func submit(_ job: Job) -> Bool {
        let isQueued = queue.withLock { queue in
            guard queue.jobs.count < mostJobs else { return false }
            queue.jobs.append(job)
            return true
        }
        if isQueued { queue.signal() }
        return isQueued
    }

    /// Ends the thread, and drops queued jobs.
    func close() {
        queue.withLock { $0 = Queue(isClosed: true) }
        queue.signal()
    }

    /// Blocks until there is a job; returns nil after ``close()``.
    private static func nextJob(_ queue: Monitor<Queue>) -> Job? {
        let next: Job?? = queue.wait(until: nil) { queue in
            guard queue.isClosed || !queue.jobs.isEmpty else { return nil }
            return .some(queue.isClosed ? nil : queue.jobs.removeFirst())
        }
        return next ?? nil
    }
}
